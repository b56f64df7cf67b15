// One request and its answer: authenticated, checked against its schema, sent again after a lost connection.
import { TenonError } from '@tenon/protocol'
import type { z } from 'zod'
import { backoff, type ClientClock, systemClock } from './clock.ts'
import { notOurs, toError, toLoss } from './failure.ts'

/** A fetch: the platform's, the handler of a server in this process, or one over a Unix socket. */
export type Fetch = (request: Request) => Promise<Response>

export interface ClientOptions {
  /** Base of the server, for example `http://127.0.0.1:7460`. In process any will do. */
  readonly url?: string
  readonly fetch?: Fetch
  readonly token?: string
  /** Kind of front end, recorded with what it sends. Interactive kinds (`tui`, `web`, `acp`) answer asks by default. */
  readonly kind?: string
  readonly clock?: ClientClock
  /** How long, in ms, a request is sent again after lost connections. Default 10,000. */
  readonly patienceMs?: number
}

export interface Call {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

export interface Transport {
  readonly clock: ClientClock
  readonly kind: string | undefined
  /** One try. Rejects with what fetch rejects with. */
  fetch(call: Call): Promise<Response>
  /** @throws TenonError of the answer, `unreachable` when patience ends; the signal's reason when aborted */
  call<T extends z.ZodType>(schema: T, call: Call): Promise<z.output<T>>
}

export function createTransport(options: ClientOptions): Transport {
  const { url = 'http://tenon.local', token, kind, clock = systemClock, patienceMs = 10_000 } = options
  const send: Fetch = options.fetch ?? ((request) => fetch(request))
  const base = url.replace(/\/+$/, '')

  const once = async ({ method = 'GET', path, query, body, headers, signal }: Call): Promise<Response> => {
    const all = new Headers(headers)
    if (token) all.set('authorization', `Bearer ${token}`)
    if (kind) all.set('x-tenon-client', kind)
    if (body !== undefined) all.set('content-type', 'application/json')
    const init = { method, headers: all, ...(signal ? { signal } : {}) }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    return send(new Request(base + path + toQuery(query), { ...init, ...text }))
  }

  const call: Transport['call'] = async (schema, request) => {
    const started = clock.now()
    const { signal = new AbortController().signal } = request
    for (let tries = 0; ; tries++) {
      const error = await attempt(schema, () => once(request))
      if (!(error instanceof TenonError)) return error.value
      signal.throwIfAborted()
      const asked = error.facts.retryAfterMs
      const wait = Math.max(backoff(tries, clock.random()), typeof asked === 'number' ? asked : 0)
      if (!mayRepeat(error) || clock.now() + wait - started > patienceMs) throw error
      await clock.until(clock.now() + wait, signal)
    }
  }
  return { clock, kind, fetch: once, call }
}

/** Lost connections, and servers that say "later". A refusal stays a refusal. */
const mayRepeat = ({ failure, facts }: TenonError): boolean =>
  failure.retryable && (failure.code === 'unreachable' || facts.status === 429 || facts.status === 503)

async function attempt<T extends z.ZodType>(
  schema: T,
  once: () => Promise<Response>,
): Promise<TenonError | { readonly value: z.output<T> }> {
  let response: Response
  let body: unknown
  try {
    response = await once()
    if (!response.ok) return await toError(response)
    if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return notOurs(response, 'JSON')
    body = await response.json()
  } catch (error) {
    return error instanceof SyntaxError ? unreadable() : toLoss(error)
  }
  const parsed = schema.safeParse(body)
  return parsed.success ? { value: parsed.data } : unreadable()
}

const unreadable = (): TenonError =>
  new TenonError({
    code: 'invalid',
    message: 'The server answered with JSON that this client does not understand.',
    action: 'Compare the versions of both sides: GET /api/info.',
  })

function toQuery(query: Call['query']): string {
  const fields = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) fields.set(key, String(value))
  return fields.size === 0 ? '' : `?${fields}`
}
