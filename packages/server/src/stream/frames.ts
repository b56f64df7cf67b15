// The frames of one stream, in order. There is no queue of events: whenever woken, it reads the log after its cursor.

import type { Clock, Session } from '@tenon/core'
import { status } from '@tenon/projections'
import { type ByeReason, type Event, type Frame, protocolRange, TenonError, toFailure } from '@tenon/protocol'
import { type Bell, createBell } from './bell.ts'
import { createPendingFragments, isOpen, type PendingFragments, tail } from './fragments.ts'

/** Silence, in ms, after which a ping is sent. */
const heartbeatMs = 15_000
const frameLimit = 256 * 1024

/** A frame as JSON text, with the cursor that it leads to. */
export interface FrameText {
  readonly text: string
  readonly id?: number
}

/** Where to start: events with seq > `after`. `truncatedBefore` is the first seq that a `tail` shows. */
export interface Cursor {
  readonly after: number
  readonly truncatedBefore?: number
}

export interface StreamOptions {
  readonly session: Session
  readonly cursor: Cursor
  readonly live: boolean
  readonly clock: Clock
  /** The session left this process · the process shuts down · the reader is gone. */
  readonly ended: AbortSignal
  readonly drain: AbortSignal
  readonly stop: AbortSignal
  /** Told when the session failed: it must leave this process, and takes every stream of it along by `ended`. */
  readonly failed: (error: Error) => void
}

/** Ends after `bye`, or silently when `stop` aborts. Advances only when pulled: a slow reader holds one page, no more. */
export async function* streamFrames(options: StreamOptions): AsyncGenerator<FrameText, void> {
  const { stop, ended, drain } = options
  const inner = new AbortController()
  const bell = createBell([stop, ended, drain])
  try {
    yield* greet(options)
    yield* follow(options, bell, inner.signal)
    if (!stop.aborted) yield* leave(ended.aborted ? ended.reason : 'draining')
  } catch (error) {
    yield* leave(error)
  } finally {
    inner.abort()
    bell.close()
  }
}

/** What is said last: a failure with its cause, and where to turn. */
function* leave(why: unknown): Generator<FrameText> {
  if (why === 'closed') yield bye('closed')
  else if (why === 'draining') yield bye('draining', 1000)
  else {
    const { code, message } = toFailure(why)
    yield toText({ t: 'error', code, detail: message })
    yield bye('moved', 1000)
  }
}

function* greet({ session, cursor }: StreamOptions): Generator<FrameText> {
  const state = session.state()
  const seq = session.durable()
  yield toText({
    t: 'hello',
    session: session.id,
    seq,
    head: state.head?.id ?? null,
    status: status(state, true),
    owner: 'here',
    heartbeatMs,
    protocol: protocolRange,
  })
  const { after, truncatedBefore } = cursor
  const cut = truncatedBefore === undefined ? {} : { truncated_before: truncatedBefore }
  yield toText({ t: 'sync', from: after + 1, through: seq, ...cut })
}

async function* follow(options: StreamOptions, bell: Bell, inner: AbortSignal): AsyncGenerator<FrameText> {
  const { session, clock } = options
  let after = options.cursor.after
  let pending: PendingFragments | undefined
  let spokenAt = clock.now()
  while (!bell.closed()) {
    if (after < session.durable()) {
      const events = await session.read(after + 1, Math.min(after + 500, session.durable()))
      const last = events.at(-1)
      if (!last) throw new Error(`Event ${after + 1} is durable and cannot be read.`)
      yield* eventFrames(events)
      after = last.seq
    } else if (options.live && !pending) {
      // Caught up. Subscribing and reading what is partly there happen in one tick: no fragment falls between.
      pending = createPendingFragments()
      void pump(session, pending, bell, inner)
      for (const part of session.partial()) yield toText({ t: 'snapshot', ...tail(part) })
    } else {
      const next = pending?.shift((fragment) => isOpen(session.state(), fragment))
      if (next) yield toText({ t: 'live', ...next })
      else {
        const by = await woken(options, bell, { after, at: spokenAt + heartbeatMs })
        if (by === 'log' && session.durable() <= after && !bell.closed()) options.failed(await failureOf(session))
        if (by !== 'time') continue
        yield toText({ t: 'ping', at: clock.now() })
      }
    }
    spokenAt = clock.now()
  }
}

async function pump(session: Session, pending: PendingFragments, bell: Bell, signal: AbortSignal): Promise<void> {
  try {
    for await (const fragment of session.live(signal)) {
      pending.push(fragment)
      bell.ring()
    }
  } catch {
    // Fragments are droppable; what ended them also ends the reading of events, which reports it.
  }
}

/** A log that wakes its readers without having grown has ended: why, as far as the session says. */
async function failureOf(session: Session): Promise<Error> {
  const now = new AbortController()
  const resting = session.rest(now.signal)
  now.abort()
  return resting.then(gone, (error: unknown) => (error instanceof Error ? error : gone()))
}

const gone = (): TenonError =>
  new TenonError({
    code: 'lease_lost',
    message: 'The session ended in this process.',
    action: 'Connect again: whoever owns it now continues the stream.',
    retryable: true,
  })

/** What there may be to look at: the log, fragments or an end, or only that it is time for a ping. */
async function woken(
  { session, clock }: StreamOptions,
  bell: Bell,
  until: { readonly after: number; readonly at: number },
): Promise<'log' | 'bell' | 'time'> {
  const wait = new AbortController()
  try {
    return await Promise.race([
      session.changed(until.after, wait.signal).then(() => 'log' as const),
      bell.rung().then(() => 'bell' as const),
      clock.until(until.at, wait.signal).then(
        () => 'time' as const,
        () => 'bell' as const,
      ),
    ])
  } finally {
    wait.abort()
  }
}

/** Frames of at most 256 KiB; an event that is larger goes alone. */
function* eventFrames(events: readonly Event[]): Generator<FrameText> {
  let texts: string[] = []
  let bytes = 0
  let first = 0
  let last = 0
  const flush = (): FrameText => ({
    text: `{"t":"events","first":${first},"last":${last},"events":[${texts.join(',')}]}`,
    id: last,
  })
  for (const event of events) {
    const text = JSON.stringify(event)
    const size = Buffer.byteLength(text)
    if (texts.length > 0 && bytes + size > frameLimit) {
      yield flush()
      texts = []
      bytes = 0
    }
    if (texts.length === 0) first = event.seq
    texts.push(text)
    bytes += size
    last = event.seq
  }
  if (texts.length > 0) yield flush()
}

const toText = (frame: Frame): FrameText => ({ text: JSON.stringify(frame) })

export const bye = (reason: ByeReason, wait?: number): FrameText =>
  toText({ t: 'bye', reason, ...(wait === undefined ? {} : { retry_after_ms: wait }) })
