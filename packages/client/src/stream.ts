// A stream that outlives its connections: keeps the cursor, drops what it has seen, connects again.
import type { Failure, Frame, FrameOf } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import { backoff } from './clock.ts'
import { connect } from './connection.ts'
import { toLoss } from './failure.ts'
import type { Transport } from './transport.ts'

export interface StreamQuery {
  /** Events with a higher seq; −1 for all. Absent: only what comes from now on. */
  readonly after?: number
  /** Instead of `after`: the newest n events of the active branch first. */
  readonly tail?: number
  /** Live fragments and snapshots too. Default true. */
  readonly live?: boolean
  /** Says that somebody is here to answer asks. Default: what the client's kind says. */
  readonly answer?: boolean
  readonly signal?: AbortSignal
}

/** The connection is lost and tried again after `inMs`. Made here, never sent. */
export interface Retrying {
  readonly t: 'retrying'
  readonly inMs: number
  readonly failure: Failure
}

export type StreamItem = Exclude<Frame, { t: 'ping' }> | Retrying

/** Answers after which no later try can succeed. */
const final = [400, 401, 403, 404, 405, 409, 410, 422]
const ending: readonly FrameOf<'bye'>['reason'][] = ['deleted', 'closed', 'auth']

/**
 * Frames for ever: each event once, in order, whatever happens to the connection. Returns when the signal aborts and
 * after `bye` with deleted, closed or auth. Nothing is requested before the first `next`.
 * @throws TenonError of an answer that ends it: 401, 403, 404, 410 and refusals such as `cursor_ahead`
 */
export async function* streamFrames(
  transport: Transport,
  path: string,
  query: StreamQuery,
): AsyncGenerator<StreamItem, void> {
  const { clock } = transport
  const signal = query.signal ?? new AbortController().signal
  let cursor = query.after
  let tries = 0
  while (!signal.aborted) {
    let asked = 0
    let failure = closedEarly
    try {
      for await (const frame of connect(transport, { path, query: toQuery(query, cursor) }, signal)) {
        if (frame.t === 'ping' || frame.t === 'live' || frame.t === 'events') tries = 0
        if (frame.t === 'ping') continue
        const fresh = frame.t === 'events' ? unseen(frame, cursor) : frame
        cursor = cursorAfter(frame, cursor)
        if (fresh) yield fresh
        if (frame.t !== 'bye') continue
        if (ending.includes(frame.reason)) return
        asked = frame.retry_after_ms ?? 0
      }
    } catch (error) {
      if (signal.aborted) return
      const loss = toLoss(error)
      const { status } = loss.facts
      if (typeof status === 'number' && final.includes(status)) throw loss
      // Somebody answered, only not with a stream: that changes less quickly than a lost connection.
      if (typeof status === 'number') tries = Math.max(tries, 3)
      failure = loss.failure
      if (typeof loss.facts.retryAfterMs === 'number') asked = loss.facts.retryAfterMs
    }
    if (signal.aborted) return
    const inMs = Math.max(asked, Math.round(backoff(tries++, clock.random())))
    yield { t: 'retrying', inMs, failure }
    await clock.until(clock.now() + inMs, signal).catch(() => {})
  }
}

const closedEarly: Failure = {
  code: 'unreachable',
  message: 'The server closed the stream.',
  action: 'It is tried again.',
  retryable: true,
}

const toQuery = ({ tail, live, answer }: StreamQuery, cursor: number | undefined) => ({
  after_seq: cursor,
  tail: cursor === undefined ? tail : undefined,
  live: live === false ? '0' : undefined,
  answer: answer ? '1' : undefined,
})

/** The events after the cursor, or `undefined` when all were seen. A gap is a broken connection: reading goes on from the cursor. */
function unseen(frame: FrameOf<'events'>, cursor: number | undefined): FrameOf<'events'> | undefined {
  const events = cursor === undefined ? frame.events : frame.events.filter(({ seq }) => seq > cursor)
  const first = events[0]
  if (!first) return undefined
  if (cursor !== undefined && first.seq > cursor + 1) throw gap(cursor, first.seq)
  return events.length === frame.events.length ? frame : { ...frame, first: first.seq, events }
}

const gap = (cursor: number, seq: number): TenonError =>
  new TenonError({
    code: 'unreachable',
    message: `The stream jumped from event ${cursor} to ${seq}.`,
    action: 'It is read again from the cursor.',
    retryable: true,
  })

function cursorAfter(frame: Frame, cursor: number | undefined): number | undefined {
  if (frame.t === 'events') return Math.max(cursor ?? -1, frame.last)
  if (frame.t === 'mark') return Math.max(cursor ?? -1, frame.seq)
  return frame.t === 'sync' && cursor === undefined ? frame.from - 1 : cursor
}
