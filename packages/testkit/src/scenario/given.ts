// A state by the story that led to it: drafts are appended as the engine would, and folded.
import { appendGroup } from '@tenon/core'
import { type Call, createFold, emptyRun, type RunState } from '@tenon/projections'
import {
  type CallPart,
  createIdGenerator,
  type Draft,
  type DraftOf,
  type Event,
  type Json,
  type Part,
  place,
  type ToolStatus,
} from '@tenon/protocol'
import { sha256 } from '../sim/world.ts'
import {
  attemptDraft,
  contextSet,
  finishedDraft,
  judgedDraft,
  openedDrafts,
  type ReplyFacts,
  replyDrafts,
  startedDraft,
} from './drafts.ts'

export interface Given {
  readonly state: RunState
  readonly groups: readonly (readonly Event[])[]
  readonly now: number
  /** One group. @throws TenonError `bad_link` */
  add(...drafts: readonly Draft[]): readonly Event[]
  /** Time goes on before the next group. */
  wait(ms: number): void
  /** A run is asked for and started; with a text, that message is queued and delivered in it. */
  run(text?: string): void
  queue(text: string, delivery?: 'steer' | 'queue'): void
  /** A model attempt is opened. */
  attempt(more?: object): void
  /** An attempt, unless one is open, and its reply. */
  reply(parts: readonly (string | CallPart)[], facts?: ReplyFacts): void
  call(id: string): Call
  judge(id: string, more?: Partial<DraftOf<'tool.judged'>>): void
  start(id: string): void
  finish(id: string, status?: ToolStatus, more?: Partial<DraftOf<'tool.finished'>>): void
  /** Judged, started and finished. */
  done(id: string, status?: 'ok' | 'error', text?: string): void
}

/** An opened session with its context set. @param config settings beside the defaults */
export function given(config: Readonly<Record<string, Json>> = {}): Given {
  let now = 1_000
  const groups: (readonly Event[])[] = []
  let state = emptyRun
  const stamps = {
    now: () => now,
    ids: createIdGenerator(
      () => now,
      () => 0.5,
    ),
    fold: createFold(sha256),
  }
  const toPart = (part: string | CallPart): Part => (typeof part === 'string' ? { type: 'text', text: part } : part)
  const made: Given = {
    get state() {
      return state
    },
    groups,
    get now() {
      return now
    },
    add(...drafts) {
      const appended = appendGroup(state, drafts, stamps)
      groups.push(appended.events)
      state = appended.state
      return appended.events
    },
    wait(ms) {
      now += ms
    },
    run(text) {
      if (text !== undefined) {
        made.add(
          { type: 'message.queued', by: 'person', parts: [toPart(text)], delivery: 'steer' },
          { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) },
        )
      } else made.add({ type: 'run.requested', by: 'person', reason: 'run' })
      const request = state.requests[0]?.id ?? 'ev_none'
      made.add({ type: 'run.started', by: 'harness', request, version: '0', limits: {} })
      const queued = text === undefined ? undefined : state.queue.at(-1)
      if (queued)
        made.add({ type: 'message.added', by: 'person', role: 'user', queued: queued.id, parts: queued.parts })
    },
    queue: (text, delivery = 'steer') =>
      void made.add({ type: 'message.queued', by: 'person', parts: [toPart(text)], delivery }),
    attempt: (more) => void made.add(attemptDraft(state, more)),
    reply(parts, facts) {
      if (state.attempts.length === 0) made.attempt()
      const attempt = state.attempts.at(-1)
      if (attempt) made.add(...replyDrafts(attempt, parts.map(toPart), facts))
    },
    call(id) {
      const found = state.batch?.calls.find(({ ref }) => ref.call === id)
      if (!found) throw new Error(`no open call ${id}`)
      return found
    },
    judge: (id, more) => void made.add(judgedDraft(made.call(id), more)),
    start: (id) => void made.add(startedDraft(made.call(id))),
    finish: (id, status = 'ok', more) => void made.add(finishedDraft(made.call(id), status, more)),
    done(id, status = 'ok', text = 'result') {
      made.judge(id)
      made.start(id)
      made.finish(id, status, { content: [{ type: 'text', text }] })
    },
  }
  made.add(...openedDrafts(config))
  made.add(contextSet())
  return made
}
