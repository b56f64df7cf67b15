// Random, well-linked logs: a list of wishes is turned into groups, each as far as the log so far allows it. Data in, data
// out, so that fast-check can shrink the wishes.
import { appendGroup, decide } from '@tenon/core'
import { type Call, createFold, emptyRun, type RunState } from '@tenon/projections'
import { createIdGenerator, type Draft, type Event, type EventId, type ToolStatus } from '@tenon/protocol'
import { createRandom } from '../sim/random.ts'
import { sha256 } from '../sim/world.ts'
import {
  attemptDraft,
  callOf,
  contextSet,
  finishedDraft,
  judgedDraft,
  openedDrafts,
  replyDrafts,
  startedDraft,
} from './drafts.ts'

type GrowKind = 'say' | 'reply' | 'judge' | 'start' | 'finish' | 'set' | 'add' | 'todos' | 'move' | 'ledger'

const weights: Readonly<Record<GrowKind, number>> = {
  say: 3,
  reply: 5,
  judge: 9,
  start: 9,
  finish: 8,
  set: 1,
  add: 1,
  todos: 1,
  move: 2,
  ledger: 3,
}

/** Each kind as often as it is worth, for `fc.constantFrom`. */
export const growKinds: readonly GrowKind[] = Object.entries(weights).flatMap(([kind, weight]) =>
  // The entries are the record's own keys.
  Array.from({ length: weight }, () => kind as GrowKind),
)

/** `a` and `b` choose among what is possible. */
export interface Wish {
  readonly kind: GrowKind
  readonly a: number
  readonly b: number
}

export interface Grown {
  readonly groups: readonly (readonly Event[])[]
  readonly events: readonly Event[]
  readonly state: RunState
}

const tools = ['Read', 'Edit', 'Bash', 'Finish'] as const

/** @param seed of the ids */
export function growLog(wishes: readonly Wish[], seed = 1): Grown {
  let now = 1_000
  const random = createRandom(seed)
  const stamps = {
    now: () => now,
    ids: createIdGenerator(
      () => now,
      () => random.next(),
    ),
    fold: createFold(sha256),
  }
  const groups: (readonly Event[])[] = []
  let state = emptyRun
  const append = (drafts: readonly Draft[]) => {
    if (drafts.length === 0) return
    now += 7
    const appended = appendGroup(state, drafts, stamps)
    groups.push(appended.events)
    state = appended.state
  }
  append(openedDrafts())
  append([contextSet()])
  for (const wish of wishes) for (const group of grant(wish, state, groups)) append(group(state))
  return { groups, events: groups.flat(), state }
}

type Make = (state: RunState) => readonly Draft[]

/** The groups that a wish leads to, in order; none when it cannot be. */
function grant({ kind, a, b }: Wish, state: RunState, groups: readonly (readonly Event[])[]): Make[] {
  const calls = state.batch?.calls ?? []
  const atBoundary = state.batch === null && state.attempts.length === 0
  const pick = (which: (call: Call) => boolean): Call | undefined => {
    const found = calls.filter(which)
    return found[a % Math.max(1, found.length)]
  }
  switch (kind) {
    case 'say':
      return atBoundary ? say(b) : []
    case 'reply':
      return atBoundary && state.branch.owed !== null && state.branch.set ? reply(a, b) : []
    case 'judge':
      return one(
        pick((call) => call.state === 'unjudged'),
        (call) => judgedDraft(call, { resources: [{ key: 'file:/w/a', mode: 'shared' }] }),
      )
    case 'start':
      return one(
        pick((call) => call.state === 'allowed'),
        startedDraft,
      )
    case 'finish':
      return finished(
        pick((call) => call.state !== 'done'),
        b,
      )
    case 'set':
      return atBoundary && b % 4 === 0 ? [() => [contextSet(`${b}`)]] : []
    case 'add':
      return atBoundary ? [() => [added(b)]] : []
    case 'todos':
      return atBoundary ? [() => [todos(b)]] : []
    case 'move':
      return state.attempts.length === 0 && b % 3 === 0 ? move(state, groups, a) : []
    case 'ledger':
      return ledger(state, a, b)
  }
}

const one = (call: Call | undefined, draft: (call: Call) => Draft): Make[] => (call ? [() => [draft(call)]] : [])

const say = (b: number): Make[] => [
  () => [{ type: 'message.queued', by: 'person', parts: [{ type: 'text', text: `say ${b}` }], delivery: 'steer' }],
  ({ queue }) => {
    const message = queue.at(-1)
    return message
      ? [{ type: 'message.added', by: 'person', role: 'user', queued: message.id, parts: message.parts }]
      : []
  },
]

function reply(a: number, b: number): Make[] {
  return [
    (state) => [attemptDraft(state)],
    ({ attempts, seq }) => {
      const attempt = attempts.at(-1)
      if (!attempt) return []
      const calls = Array.from({ length: a % 4 }, (_, i) =>
        callOf(`c${seq}_${i}`, tools[(b + i) % tools.length] ?? 'Read', { n: b }),
      )
      const text = { type: 'text', text: `reply ${b}` } as const
      const usage = { input: b, output: a }
      return replyDrafts(attempt, [...(a % 3 === 0 ? [] : [text]), ...calls], {
        usage,
        nanoUsd: b % 2 === 0 ? b : null,
      })
    },
  ]
}

function finished(call: Call | undefined, b: number): Make[] {
  if (!call) return []
  const running = call.state === 'running'
  const statuses: readonly ToolStatus[] = running
    ? ['ok', 'error', 'unknown', 'cancelled']
    : ['denied', 'cancelled', 'error']
  const changed: Draft = {
    type: 'file.changed',
    by: 'tool',
    ref: call.ref,
    path: `/w/f${b % 3}`,
    operation: 'edit',
    after: { sha256: sha256(`${b}`), bytes: b, mime: 'text/plain' },
    encoding: 'utf-8',
    eol: 'lf',
    added: 1,
    removed: 0,
  }
  const content = [{ type: 'text', text: `result ${b}` }] as const
  const result = finishedDraft(call, statuses[b % statuses.length] ?? 'cancelled', { content, ms: b })
  return [() => [...(running && b % 2 === 0 ? [changed] : []), result]]
}

const added = (b: number): Draft => ({
  type: 'context.added',
  by: 'harness',
  kind: 'reminder',
  source: {},
  parts: [{ type: 'text', text: `remember ${b}` }],
  reason: b % 2 === 0 ? 'limit' : 'test',
  untrusted: false,
  tokens: 1,
})

const todos = (b: number): Draft => ({
  type: 'todos.changed',
  by: 'agent',
  todos: [{ id: '1', content: `step ${b}`, activeForm: 's', status: b % 2 === 0 ? 'pending' : 'completed' }],
})

function move(state: RunState, groups: readonly (readonly Event[])[], a: number): Make[] {
  const ids = groups.flat().flatMap((event): EventId[] => (event.parent === undefined ? [] : [event.id]))
  const to = ids[a % ids.length] ?? null
  const host = { session: 'ses_grown', build: 'b1', os: 'sim', version: '0' } as const
  const decision = decide({ ...state, run: null, requests: [] }, { command: 'move', to }, host)
  return 'events' in decision ? [() => decision.events] : []
}

/** What belongs to no branch. */
function ledger(state: RunState, a: number, b: number): Make[] {
  const request = state.requests[0]
  const options: (Draft | undefined)[] = [
    { type: 'run.requested', by: 'person', reason: 'run' },
    request && !state.run
      ? { type: 'run.started', by: 'harness', request: request.id, version: '0', limits: {} }
      : undefined,
    { type: 'message.queued', by: 'person', parts: [{ type: 'text', text: `wait ${b}` }], delivery: 'queue' },
    state.queue[0] && { type: 'message.withdrawn', by: 'person', queued: state.queue[0].id, reason: 'person' },
    { type: 'effect.ended', by: 'harness', key: `k${b}` },
    { type: 'session.configured', by: 'person', set: { 'limits.turns': 1 + b }, was: {}, source: 'person' },
    {
      type: 'ask.opened',
      by: 'harness',
      kind: 'loop',
      title: 't',
      detail: '',
      options: [{ id: 'stop', label: 'Stop', effect: '' }],
      rules: [],
    },
    state.asks[0] && { type: 'ask.closed', by: 'person', ask: state.asks[0].id, how: 'cancelled' },
  ]
  const draft = options[a % options.length]
  return draft ? [() => [draft]] : []
}
