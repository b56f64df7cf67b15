// What crosses the wire beside commands and events: frames of the stream, pages, summaries, problems. Clients ignore
// unknown response fields and frames; requests are strict.
import { z } from 'zod'
import { openCommand } from './command.ts'
import { failureClass } from './error.ts'
import { answer, askKind } from './event/ask.ts'
import { type Event, envelope } from './event/event.ts'
import { live } from './event/live.ts'
import { delivery } from './event/message.ts'
import { runOutcome } from './event/run.ts'
import { eventId, sessionId } from './id.ts'
import { type Immutable, json } from './json.ts'
import { callRef, permissionMode, usage } from './shape.ts'

/** Versions of this contract that a build speaks; additive within one. */
export const protocolRange = { min: 1, max: 1 } as const

/** The cast is the trust boundary of the log: a stored event is checked in full by `session verify`, here its envelope. */
const event = envelope.loose() as unknown as z.ZodType<Event>

/** What a session is doing, as `status` of projections names it. */
export const sessionStatuses = [
  'broken',
  'waiting',
  'retrying',
  'running',
  'paused',
  'interrupted',
  'stuck',
  'limit',
  'refused',
  'failed',
  'asked',
  'done',
  'idle',
] as const
export const sessionStatus = z.enum(sessionStatuses)
export type SessionStatus = z.infer<typeof sessionStatus>

export const serverInfo = z.object({
  version: z.string(),
  protocol: z.object({ min: z.int(), max: z.int() }),
  capabilities: z.array(z.string()),
  pid: z.int().optional(),
  startedAt: z.int(),
  uptimeMs: z.int(),
  /** Sessions that this process owns now. */
  sessions: z.int(),
})
export type ServerInfo = Immutable<z.infer<typeof serverInfo>>

/** Money in integer nano-dollars; `unpriced` counts attempts without a known price, which `nanoUsd` leaves out. */
const spent = z.object({ nanoUsd: z.int(), unpriced: z.int() })

export const sessionSummary = z.object({
  id: sessionId,
  title: z.string().nullable(),
  cwd: z.string(),
  project: z.string(),
  status: sessionStatus,
  /** Seq of the newest event, −1 for an empty log. */
  seq: z.int(),
  openedAt: z.int(),
  updatedAt: z.int().optional(),
  model: z.string(),
  agent: z.string(),
  mode: permissionMode,
  cost: spent,
  /** Open asks. */
  asks: z.int(),
})
export type SessionSummary = Immutable<z.infer<typeof sessionSummary>>

export const sessionPage = z.object({ items: z.array(sessionSummary), next: z.string().nullable() })
export type SessionPage = Immutable<z.infer<typeof sessionPage>>

/** Body of `POST /api/sessions`: the command `open`, its name left out or stated. */
export const openBody = openCommand.partial({ command: true })
export type OpenBody = Immutable<z.infer<typeof openBody>>

export const openReply = z.object({
  accepted: z.literal(true),
  session: sessionId,
  seq: z.tuple([z.int(), z.int()]).nullable(),
  events: z.array(z.unknown()).optional(),
})
export type OpenReply = Immutable<z.infer<typeof openReply>>

export const askView = z.object({
  id: eventId,
  kind: askKind,
  ref: callRef.nullable(),
  title: z.string(),
  options: z.array(z.string()),
  rules: z.array(z.string()),
  questions: z.int(),
  openedAt: z.int(),
  expiresAt: z.int().nullable(),
})
export type AskView = Immutable<z.infer<typeof askView>>

/** The run projection as JSON: `GET …/projections/run`. */
export const runView = z.object({
  session: sessionId,
  seq: z.int(),
  head: eventId.nullable(),
  status: sessionStatus,
  cwd: z.string(),
  project: z.string(),
  openedAt: z.int(),
  run: z
    .object({
      id: eventId,
      startedAt: z.int(),
      stopping: z.enum(['pause', 'interrupt']).nullable(),
      turns: z.int(),
      usage,
      cost: spent,
    })
    .nullable(),
  asks: z.array(askView),
  queue: z.array(z.object({ id: eventId, delivery, chars: z.int(), text: z.string() })),
  settings: z.record(z.string(), json),
  usage,
  cost: spent,
  last: z.object({ outcome: runOutcome, row: z.string(), seq: z.int() }).nullable(),
  runs: z.int(),
})
export type RunView = Immutable<z.infer<typeof runView>>

/** Answer to an accepted command. With `Prefer: wait`: whether the run rested in time, its view and its final message. */
export const commandReply = z.object({
  accepted: z.literal(true),
  seq: z.tuple([z.int(), z.int()]).nullable(),
  events: z.array(z.unknown()).optional(),
  rested: z.boolean().optional(),
  run: runView.optional(),
  final: event.nullable().optional(),
})
export type CommandReply = Immutable<z.infer<typeof commandReply>>

/** One page of events in seq order. `next` is `null` at the end of what is durable now, at `seq`. */
export const eventPage = z.object({
  items: z.array(event),
  next: z.string().nullable(),
  seq: z.int(),
  /** True when a filter stopped looking before the page was full: go on with `next`. */
  partial: z.boolean().optional(),
})
export type EventPage = Immutable<z.infer<typeof eventPage>>

export const inboxAsk = askView.extend({
  session: sessionId,
  sessionTitle: z.string().nullable(),
  cwd: z.string(),
  /** What the call would be given; `null` when there is none or its JSON is over 64 KiB. */
  input: json,
})
export type InboxAsk = Immutable<z.infer<typeof inboxAsk>>
export const inbox = z.object({ items: z.array(inboxAsk) })

const inboxAnswer = z.strictObject({
  session: sessionId,
  ask: eventId,
  id: z.string().min(1).max(200).optional(),
  ...answer.shape,
})
export type InboxAnswer = Immutable<z.infer<typeof inboxAnswer>>
export const inboxAnswers = z.strictObject({ answers: z.array(inboxAnswer).min(1).max(100) })

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  /** What to do. */
  next: z.string(),
  error_id: z.string(),
  retryable: z.boolean().optional(),
  class: failureClass.optional(),
  fields: z.array(z.object({ path: z.string(), rule: z.string() })).optional(),
  facts: z.record(z.string(), z.unknown()).optional(),
  retry_after_ms: z.int().optional(),
})
export type Problem = Immutable<z.infer<typeof problem>>

export const inboxOutcomes = z.object({
  items: z.array(
    z.object({
      session: sessionId,
      ask: eventId,
      accepted: z.boolean(),
      seq: z.tuple([z.int(), z.int()]).nullable().optional(),
      problem: problem.optional(),
    }),
  ),
})
export type InboxOutcomes = Immutable<z.infer<typeof inboxOutcomes>>

export const byeReason = z.enum(['slow_consumer', 'draining', 'moved', 'auth', 'deleted', 'idle', 'closed'])
export type ByeReason = z.infer<typeof byeReason>

/** Frames of the stream. Only `events` and `mark` move a cursor. */
export const frame = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('hello'),
    session: sessionId,
    /** The high mark: seq of the newest durable event. */
    seq: z.int(),
    head: eventId.nullable(),
    status: sessionStatus,
    owner: z.enum(['here', 'none', 'elsewhere']),
    heartbeatMs: z.int(),
    protocol: z.object({ min: z.int(), max: z.int() }),
  }),
  /** `from` to `through` is replayed next (nothing when `from > through`); then live. */
  z.object({ t: z.literal('sync'), from: z.int(), through: z.int(), truncated_before: z.int().optional() }),
  z.object({ t: z.literal('events'), first: z.int(), last: z.int(), events: z.array(event) }),
  z.object({ t: z.literal('mark'), seq: z.int() }),
  /** `first` is there when fragments were joined: the text covers `first` to `fragment.n`. */
  z.object({ t: z.literal('live'), fragment: live, first: z.int().optional() }),
  /** What is partly there: the text so far, up to and with `fragment.n`; `cut` counts characters left out in front. */
  z.object({ t: z.literal('snapshot'), fragment: live, cut: z.int() }),
  z.object({ t: z.literal('ping'), at: z.int() }),
  z.object({ t: z.literal('error'), code: z.string(), detail: z.string() }),
  z.object({
    t: z.literal('bye'),
    reason: byeReason,
    url: z.string().optional(),
    retry_after_ms: z.int().optional(),
  }),
])
export type Frame = Immutable<z.infer<typeof frame>>
export type FrameOf<T extends Frame['t']> = Extract<Frame, { t: T }>
