// Old payloads load for ever: one chain of upcasters a type, applied on read; files are never rewritten.
import type { Envelope, Event, EventType } from './event.ts'
import { eventKinds, isKnownType } from './event.ts'

type Stored = Envelope & Readonly<Record<string, unknown>>
/** From payload version n to n + 1. Total: it never throws on an event that was once valid. */
type Upcaster = (event: Stored) => Stored

/** `upcasters[type][n - 1]` lifts version n. A released type that changes its payload gets its next entry here. */
const upcasters: Partial<Record<EventType, readonly Upcaster[]>> = {}

/** True when a newer Tenon wrote the event: the session opens read-only (`log_newer`). */
export const isNewer = (event: Envelope): boolean => isKnownType(event.type) && event.v > eventKinds[event.type].v

/** The event in its newest shape. Unknown types and newer versions pass unchanged: they are kept and ignored. */
export function upcast(event: Envelope): Event {
  let current = event as Stored
  const chain = isKnownType(event.type) ? (upcasters[event.type] ?? []) : []
  for (const lift of chain.slice(current.v - 1)) current = { ...lift(current), v: current.v + 1 }
  // The cast is the trust boundary of the log: lines are checked in full by `session verify`, not on every read.
  return current as unknown as Event
}
