// The one union of events: what each file of this folder declares, with the envelope around it.
import { z } from 'zod'
import type { EventId } from '../id.ts'
import { eventId } from '../id.ts'
import type { Immutable } from '../json.ts'
import { askEvents } from './ask.ts'
import { contextEvents } from './context.ts'
import type { Kind } from './kind.ts'
import { messageEvents } from './message.ts'
import { modelEvents } from './model.ts'
import { runEvents } from './run.ts'
import { sessionEvents } from './session.ts'
import { toolEvents } from './tool.ts'
import { workEvents } from './work.ts'

/** Every event that something appends now, by type. */
export const eventKinds = {
  ...sessionEvents,
  ...runEvents,
  ...messageEvents,
  ...contextEvents,
  ...modelEvents,
  ...toolEvents,
  ...askEvents,
  ...workEvents,
}
type Kinds = typeof eventKinds
export type EventType = keyof Kinds

export const by = z.enum(['person', 'agent', 'harness', 'tool', 'hook', 'child'])
export type By = z.infer<typeof by>

const origin = {
  by,
  /** Id of the command or event that led here. */
  cause: z.string().optional(),
  /** Token or OS user, and the kind of front end. */
  actor: z.string().optional(),
  client: z.string().optional(),
}

/** What every stored event has; `at` is information only, never used for order. */
export const envelope = z.object({
  v: z.int().positive(),
  seq: z.int().nonnegative(),
  id: eventId,
  parent: eventId.nullable().optional(),
  /** Only on a branch event: the next branch event belongs to the same append, so this one is no boundary. */
  more: z.literal(true).optional(),
  at: z.int(),
  ...origin,
  from: z.string().optional(),
  type: z.string(),
})
export type Envelope = Immutable<z.infer<typeof envelope>>

export type Payload<T extends EventType> = Immutable<z.infer<Kinds[T]['payload']>>
type Stamp<T extends EventType> = Omit<Envelope, 'type' | 'parent'> &
  (Kinds[T] extends Kind<z.ZodObject, true> ? { readonly parent: EventId | null } : { readonly parent?: never })

export type EventOf<T extends EventType> = { [K in T]: Stamp<K> & { readonly type: K } & Payload<K> }[T]
export type Event = EventOf<EventType>

/** An event before append stamped seq, id, parent and time on it; drafts of a group name each other by `place`. */
export type DraftOf<T extends EventType> = {
  [K in T]: Immutable<z.infer<z.ZodObject<typeof origin>>> & { readonly type: K } & Payload<K>
}[T]
export type Draft = DraftOf<EventType>

export const isKnownType = (type: string): type is EventType => Object.hasOwn(eventKinds, type)

/** True for branch events, also of unknown types: they carry a parent. */
export const isBranch = (event: { readonly parent?: EventId | null | undefined }): boolean => event.parent !== undefined

/** The problems of one stored event, each with its path; empty when it is well formed. Unknown types pass. */
export function eventIssues(event: unknown): string[] {
  const outer = envelope.safeParse(event)
  const issues = outer.success ? [] : outer.error.issues
  const type = outer.success ? outer.data.type : ''
  if (!isKnownType(type)) return issues.map(toLine)
  const inner = eventKinds[type].payload.safeParse(event)
  return [...issues, ...(inner.success ? [] : inner.error.issues)].map(toLine)
}

const toLine = (issue: z.core.$ZodIssue): string => `${issue.path.join('.') || 'event'}: ${issue.message}`
