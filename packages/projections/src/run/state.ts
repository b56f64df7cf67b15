// The run projection's state, in two halves: Branch hangs on a node of the tree, the rest is folded from the ledger.
// Copying is the trap here (100,000 events): nodes and lists that grow are parent-linked, what is copied is small.
import {
  type Access,
  type AskKind,
  type CallRef,
  type Delivery,
  defaultSettings,
  type EventId,
  emptyUsage,
  type FailureClass,
  type FinishReason,
  type Json,
  type Limits,
  type Part,
  type Purpose,
  type Resource,
  type RunOutcome,
  type SessionId,
  type Settings,
  type Todo,
  type ToolKind,
  type Usage,
} from '@tenon/protocol'
import type { ViewMessage, ViewPart } from '../context/view.ts'

/** One branch event. `branch` is kept at boundaries only: the points to move to or fork at. */
export interface Node {
  readonly id: EventId
  readonly seq: number
  readonly parent: Node | null
  readonly branch: Branch | null
}

/** A list that grows by linking: the newest first. */
export interface Linked<T> {
  readonly value: T
  readonly rest: Linked<T> | null
}

export interface Print {
  /** Hash of tool and canonical input · of the result. */
  readonly call: string
  readonly result: string
  readonly failed: boolean
}

export interface Reply {
  readonly id: EventId
  readonly finish: FinishReason
  readonly calls: number
  readonly empty: boolean
}

/** What hangs on a node: it comes back when HEAD moves there, and needs no ledger event. */
export interface Branch {
  /** What the model has not replied to. */
  readonly owed: 'message' | 'batch' | null
  /** Act replies since the last person message, and the seq of that message. */
  readonly turns: number
  readonly person: number
  /** In a row: empty replies, continuations after a cut, refusals, replies without a call. */
  readonly empties: number
  readonly continues: number
  readonly refusals: number
  readonly silent: number
  readonly nudged: { readonly todos: number; readonly verify: number }
  /** The wind-down was asked for, or its reply is in. */
  readonly windDown: 'asked' | 'said' | null
  /** The 80 % reminder was given. */
  readonly warned: boolean
  /** The newest 20 calls since the last person message; `moves` counts replies and calls. */
  readonly prints: readonly Print[]
  readonly moves: number
  readonly loop: { readonly rung: number; readonly at: number; readonly repeated: readonly string[] }
  /** Nodes just before each person turn. */
  readonly persons: Linked<Node | null> | null
  readonly set: {
    readonly id: EventId
    readonly seq: number
    readonly hash: string
    readonly model: string
    readonly build: string
  } | null
  readonly reply: Reply | null
  readonly todos: readonly Todo[]
  /** Files were changed and nothing was run since. */
  readonly edited: boolean
  /** What a finishing tool reported, when the newest batch held one. */
  readonly finish: string | null
  readonly seen: Linked<{ readonly path: string; readonly sha256: string }> | null
  readonly view: ViewMessage | null
}

export type CallState = 'unjudged' | 'asked' | 'allowed' | 'running' | 'done'

export interface Call {
  readonly ref: CallRef
  readonly name: string
  readonly wireId: string | undefined
  /** As the model wrote it · as a person edited it since: what is judged and runs. */
  readonly written: Json
  readonly input: Json
  readonly raw: string | undefined
  readonly invalid: { readonly code: string; readonly message: string } | undefined
  readonly state: CallState
  /** What the judge settled: kept from `tool.judged`. */
  readonly judged: {
    readonly input: Json
    readonly inputHash: string
    readonly kind: ToolKind
    readonly resources: readonly Resource[]
    /** With real paths: what was judged is what is granted. */
    readonly accesses: readonly Access[]
    readonly timeoutMs: number
    readonly repairs: readonly string[]
    /** `RunState.verdicts` when it was judged: older ones are judged again. */
    readonly verdicts: number
  } | null
  /** A person said yes: asks count as answered when it is judged again. */
  readonly approved: boolean
  readonly ask: EventId | null
  /** Of the result: where its body is and the hash of what the model sees. */
  readonly result: ViewPart | null
}

/** The calls of the newest message; open until each has its result. Belongs to HEAD. */
export interface Batch {
  readonly message: EventId
  readonly by: 'agent' | 'person'
  readonly windDown: boolean
  readonly calls: readonly Call[]
}

export interface OpenAsk {
  readonly id: EventId
  readonly kind: AskKind
  readonly ref: CallRef | null
  readonly title: string
  readonly options: readonly string[]
  readonly rules: readonly string[]
  readonly questions: number
  readonly openedAt: number
  readonly expiresAt: number | null
}

export interface Attempt {
  readonly id: EventId
  readonly purpose: Purpose
  readonly message: EventId
  readonly model: string
  readonly try: number
  readonly windDown: boolean
  readonly requestHash: string
  readonly startedAt: number
}

export interface Queued {
  readonly id: EventId
  readonly parts: readonly Part[]
  readonly delivery: Delivery
  readonly chars: number
}

export interface Request {
  readonly id: EventId
  readonly reason: 'send' | 'answer' | 'run'
  readonly queued: EventId | null
}

export interface OpenRun {
  readonly id: EventId
  readonly startedAt: number
  readonly stopping: 'pause' | 'interrupt' | null
  readonly turns: number
  readonly usage: Usage
  readonly nanoUsd: number
  readonly unpriced: number
  readonly denials: readonly CallRef[]
  readonly final: EventId | null
  /** Milliseconds spent waiting for answers. */
  readonly restedMs: number
}

export interface Failures {
  readonly class: FailureClass
  /** Failed tries of this class, and of all, at this anchor. */
  readonly count: number
  readonly total: number
  readonly at: number
  readonly roll: number
  readonly retryAfter: number
  readonly message: string
}

/** What was spent; `base` is subtracted after `run` granted the limits afresh. */
export interface Spent {
  readonly usage: Usage
  readonly tokens: number
  readonly nanoUsd: number
  readonly unpriced: number
  readonly ms: number
}

export interface RunState {
  /** Seq of the newest folded event, −1 for none. */
  readonly seq: number
  readonly session: {
    readonly id: SessionId
    readonly cwd: string
    readonly project: string
    readonly openedAt: number
  } | null
  readonly head: Node | null
  /** Heads that were left: with `head` they reach every node. */
  readonly left: Linked<Node> | null
  readonly redo: Linked<Node> | null
  readonly branch: Branch
  readonly batch: Batch | null
  /** The last message or result: keys of effects hang on it. `ended` are the keys that ended at it. */
  readonly anchor: EventId | null
  readonly ended: readonly { readonly key: string; readonly failure: string | null }[]
  readonly run: OpenRun | null
  readonly requests: readonly Request[]
  readonly queue: readonly Queued[]
  readonly delivered: readonly EventId[]
  readonly asks: readonly OpenAsk[]
  readonly attempts: readonly Attempt[]
  readonly failures: Failures | null
  /** Answers to budget and loop asks, spent by the next act reply. */
  readonly pass: { readonly budget: 'once' | 'wind-down' | 'stop' | null; readonly loop: 'allow' | 'stop' | null }
  readonly settings: Settings
  /** Counts changes of what verdicts depend on. */
  readonly verdicts: number
  readonly spent: Spent
  readonly base: { readonly person: number; readonly turns: number; readonly spent: Spent }
  readonly last: { readonly outcome: RunOutcome; readonly row: string; readonly seq: number } | null
  /** A stop that named a request, until the next person message. */
  readonly halted: 'pause' | 'interrupt' | null
  readonly causes: readonly string[]
  readonly runs: number
}

export const emptyBranch: Branch = {
  owed: null,
  turns: 0,
  person: -1,
  empties: 0,
  continues: 0,
  refusals: 0,
  silent: 0,
  nudged: { todos: 0, verify: 0 },
  windDown: null,
  warned: false,
  prints: [],
  moves: 0,
  loop: { rung: 0, at: 0, repeated: [] },
  persons: null,
  set: null,
  reply: null,
  todos: [],
  edited: false,
  finish: null,
  seen: null,
  view: null,
}

const nothingSpent: Spent = { usage: emptyUsage, tokens: 0, nanoUsd: 0, unpriced: 0, ms: 0 }

/** The state of an empty log. */
export const emptyRun: RunState = {
  seq: -1,
  session: null,
  head: null,
  left: null,
  redo: null,
  branch: emptyBranch,
  batch: null,
  anchor: null,
  ended: [],
  run: null,
  requests: [],
  queue: [],
  delivered: [],
  asks: [],
  attempts: [],
  failures: null,
  pass: { budget: null, loop: null },
  settings: defaultSettings,
  verdicts: 0,
  spent: nothingSpent,
  base: { person: -1, turns: 0, spent: nothingSpent },
  last: null,
  halted: null,
  causes: [],
  runs: 0,
}

export const limitsOf = (settings: Settings): Limits => {
  const all = {
    turns: settings['limits.turns'],
    usd: settings['limits.usd'],
    tokens: settings['limits.tokens'],
    minutes: settings['limits.minutes'],
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}
