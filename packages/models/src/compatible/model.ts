// The Model port over any server that speaks OpenAI chat: api `openai-chat`.
import type { Model, ModelPart, ModelRequest } from '@tenon/core'
import { assemble } from './assemble.ts'
import { toBaseUrl } from './base-url.ts'
import { framesOf } from './frames.ts'
import { type StreamLimits, streamLimits } from './limits.ts'
import { openChat, streamChat, toCallOptions } from './sdk.ts'
import { post, type Transport } from './transport.ts'
import { createWireNames } from './wire-names.ts'

export interface CompatibleConfig {
  /** Id under `providers`. */
  readonly provider: string
  /** What stands before `/chat/completions`. */
  readonly baseUrl: string
  /** Sent as a bearer token; without it none is sent. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Model id as the provider knows it. */
  readonly model: string
  /** Milliseconds; those left out keep their default. */
  readonly limits?: Partial<StreamLimits>
  /** Milliseconds UTC; used for waits that are given as a date. */
  readonly now?: () => number
}

/**
 * Nothing is opened or loaded before the first `stream`.
 * @throws TenonError `bad_setting` when `baseUrl` is no address
 */
export function createCompatibleModel(config: CompatibleConfig): Model {
  const { provider, headers, apiKey, model, now = Date.now } = config
  const { url: baseUrl } = toBaseUrl(config.baseUrl)
  const transport: Transport = { provider, now, limits: { ...streamLimits, ...config.limits } }

  return {
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      const names = createWireNames(request.tools)
      const wire = createWire(transport)
      const own = linked(signal)
      const facts = { provider, now, nameOf: names.fromWire, isDone: () => wire.done }
      try {
        signal.throwIfAborted()
        const source = {
          provider,
          baseUrl,
          model,
          fetch: wire.fetch,
          ...(apiKey && { apiKey }),
          ...(headers && { headers }),
        }
        const chat = await openChat(source)
        const options = toCallOptions(request, { provider, names, signal: own.signal })
        yield* assemble(streamChat(chat, options), facts)
      } catch (error) {
        signal.throwIfAborted()
        // The SDK wraps what its fetch throws; the failure that we raised below it is the true one.
        throw wire.failure ?? error
      } finally {
        own.end()
      }
    },
  }
}

interface Wire {
  readonly fetch: typeof globalThis.fetch
  failure: unknown
  done: boolean
}

/** A fetch for one request, and what was learned below the SDK. */
function createWire(transport: Transport): Wire {
  const wire: Wire = { fetch: (url, init) => send(String(url), init ?? {}), failure: undefined, done: false }
  const fail = (error: unknown) => {
    wire.failure ??= error
    throw error
  }

  const send = async (url: string, { headers, body, signal }: RequestInit): Promise<Response> => {
    const sent = { url, headers: { ...(headers as Record<string, string>) }, body: toWellFormed(String(body)) }
    const answer = await post(transport, { ...sent, signal: signal ?? new AbortController().signal }).catch(fail)
    return new Response(ReadableStream.from(encoded(answer)), { headers: { 'content-type': 'text/event-stream' } })
  }

  async function* encoded(answer: Parameters<typeof framesOf>[0]): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    const { provider, now } = transport
    const onDone = () => {
      wire.done = true
    }
    try {
      for await (const text of framesOf(answer, { provider, now, onDone })) yield encoder.encode(text)
    } catch (error) {
      fail(error)
    }
  }
  return wire
}

/** JSON text with lone surrogates replaced: JSON.stringify writes them as escapes, and most providers refuse them. */
const toWellFormed = (body: string): string =>
  body.includes('\\ud') ? body.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : body

/** A signal of our own that follows `signal` and is aborted at the end, so that no socket outlives its stream. */
function linked(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const own = new AbortController()
  const follow = () => own.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  if (signal.aborted) follow()
  return {
    signal: own.signal,
    end() {
      signal.removeEventListener('abort', follow)
      own.abort()
    },
  }
}
