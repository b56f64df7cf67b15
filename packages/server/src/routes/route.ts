// What every route gets, and the small answers they share.
import type { Clock, Sender } from '@tenon/core'
import { type Problem, type SessionId, sessionId, TenonError } from '@tenon/protocol'
import { isLost } from '../problem.ts'
import type { LiveSession, Registry } from '../registry.ts'

export interface Server {
  readonly sessions: Registry
  readonly info: { readonly version: string; readonly pid?: number }
  readonly clock: Clock
  readonly startedAt: number
  readonly actor: string | undefined
  readonly drain: AbortSignal
  /** The problem that answers an error; bugs are reported under its `error_id`. */
  readonly problem: (error: unknown, status?: number) => Problem
}

/** Answers one method of one path. `param` reads a part of the path. */
type Answer = (request: Request, param: (name: string) => string) => Promise<Response>

/** Routes as data: path pattern → method → answer. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Answer>>>>

export const reply = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })

/** Who sends: the transport's actor, and the kind of front end that the client names. */
export function senderOf(server: Server, request: Request): Sender {
  const client = request.headers.get('x-tenon-client')?.slice(0, 40)
  return { ...(server.actor ? { actor: server.actor } : {}), ...(client ? { client } : {}) }
}

/** @throws TenonError `unknown_session` for what is no session id */
export function toSessionId(text: string): SessionId {
  const parsed = sessionId.safeParse(text)
  if (parsed.success) return parsed.data
  throw new TenonError(
    {
      code: 'unknown_session',
      message: 'There is no session with this id.',
      action: 'List them with GET /api/sessions.',
    },
    { session: text.slice(0, 100) },
  )
}

/** Runs `work` on a live session. One that failed leaves the registry, so that the next touch starts afresh. */
export async function onSession<T>(server: Server, text: string, work: (live: LiveSession) => Promise<T>): Promise<T> {
  const id = toSessionId(text)
  const live = await server.sessions.get(id)
  try {
    return await work(live)
  } catch (error) {
    if (isLost(error)) void server.sessions.drop(live.session, error).catch(() => {})
    throw error
  }
}
