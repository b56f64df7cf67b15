// GET …/stream: checks the cursor, attaches, and answers with server-sent events.

import type { Clock, Session } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { z } from 'zod'
import type { LiveSession } from '../registry.ts'
import { flag, parseQuery, wholeNumber } from '../request.ts'
import { type Cursor, streamFrames } from '../stream/frames.ts'
import { toEventStream } from '../stream/sse.ts'
import { onSession, type Routes, type Server } from './route.ts'

const streamQuery = z.strictObject({
  after_seq: wholeNumber.pipe(z.int().min(-1)).optional(),
  tail: wholeNumber.pipe(z.int().min(0).max(10_000)).optional(),
  live: flag.optional(),
  answer: flag.optional(),
})

export const streamRoutes = (server: Server): Routes => ({
  '/api/sessions/:id/stream': {
    GET: (request, param) => onSession(server, param('id'), async (live) => attach(server, request, live)),
  },
})

async function attach(server: Server, request: Request, { session, ended }: LiveSession): Promise<Response> {
  const query = parseQuery(streamQuery, request.url)
  const cursor = toCursor(session, query, request.headers.get('last-event-id'))
  if (cursor.after > session.durable()) throw ahead(cursor.after, session.durable())
  const stop = new AbortController()
  const leave = () => stop.abort()
  request.signal.addEventListener('abort', leave, { once: true })
  stop.signal.addEventListener('abort', () => request.signal.removeEventListener('abort', leave), { once: true })
  if (request.signal.aborted) stop.abort()
  if (query.answer && !stop.signal.aborted) session.attachAnswerer(linger(stop.signal, ended, server.clock))
  const frames = streamFrames({
    session,
    cursor,
    live: query.live ?? true,
    clock: server.clock,
    ended,
    drain: server.drain,
    stop: stop.signal,
    failed: (error) => void server.sessions.drop(session, error).catch(() => {}),
  })
  return toEventStream(frames, { clock: server.clock, stop })
}

/**
 * Longer than the longest wait of a client that connects again (15 s + 20 %): a lost connection is no refusal, and with
 * nobody here an ask means deny.
 */
const graceMs = 20_000

/** Aborts some time after the stream stopped, at once when the session leaves this process. */
function linger(stop: AbortSignal, ended: AbortSignal, clock: Clock): AbortSignal {
  const end = new AbortController()
  const leave = () => end.abort()
  const wait = async () => {
    await clock.until(clock.now() + graceMs, end.signal).catch(() => {})
    ended.removeEventListener('abort', leave)
    leave()
  }
  ended.addEventListener('abort', leave, { once: true })
  stop.addEventListener('abort', () => void wait(), { once: true })
  return end.signal
}

function toCursor(session: Session, query: z.infer<typeof streamQuery>, lastEventId: string | null): Cursor {
  const last = lastEventId && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
  const asked = query.after_seq
  if (asked !== undefined || last !== undefined) return { after: Math.max(asked ?? -1, last ?? -1) }
  return query.tail === undefined ? { after: session.durable() } : tailOf(session, query.tail)
}

/** Just before the n-th newest event of the active branch. */
function tailOf(session: Session, n: number): Cursor {
  if (n === 0) return { after: session.durable() }
  let node = session.state().head
  for (let i = 1; node && i < n; i++) node = node.parent
  return node && node.seq > 0 ? { after: node.seq - 1, truncatedBefore: node.seq } : { after: -1 }
}

const ahead = (after: number, seq: number): TenonError =>
  new TenonError(
    {
      code: 'cursor_ahead',
      message: `The cursor ${after} lies beyond the newest event ${seq}: this is another log, or an older copy of it.`,
      action: 'Fetch the session again from the start.',
    },
    { seq },
  )
