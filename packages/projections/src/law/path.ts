// Law 1: the active branch is the parent walk from HEAD, reversed. Time, seq and file order never decide ancestry.
import { type Event, type EventId, TenonError } from '@tenon/protocol'

/** Events by id. @throws TenonError `log_duplicate_id` naming both places */
export function indexById(events: readonly Event[]): ReadonlyMap<string, Event> {
  const index = new Map<string, Event>()
  for (const event of events) {
    const other = index.get(event.id)
    if (other) {
      throw new TenonError(
        {
          code: 'log_duplicate_id',
          message: `Two events have the id ${event.id} (seq ${other.seq} and ${event.seq}).`,
          action: 'Run `tenon session verify` to find the damaged place.',
        },
        { id: event.id, seq: event.seq, other: other.seq },
      )
    }
    index.set(event.id, event)
  }
  return index
}

/**
 * The events from the root down to `head`; empty for `null`. O(depth); the events are the stored ones, never copies.
 * @throws TenonError `log_missing_parent`, `log_cycle`
 */
export function path(index: ReadonlyMap<string, Event>, head: EventId | null): Event[] {
  const events: Event[] = []
  const met = new Set<string>()
  for (let id = head, child: Event | undefined; id !== null; ) {
    const event = index.get(id)
    if (!event)
      throw broken(
        'log_missing_parent',
        `${child ? `Event ${child.id} (seq ${child.seq})` : 'HEAD'} names the parent ${id}, which is not in the log.`,
        id,
      )
    if (met.has(id)) throw broken('log_cycle', `The parents of ${head} come back to ${id} (seq ${event.seq}).`, id)
    met.add(id)
    events.push(event)
    child = event
    id = event.parent ?? null
  }
  return events.reverse()
}

/** HEAD after these events: the last branch event, or the target of a later `head.moved`. */
export function headOf(events: readonly Event[]): EventId | null {
  let head: EventId | null = null
  for (const event of events) {
    if (event.parent !== undefined) head = event.id
    else if (event.type === 'head.moved') head = event.to
  }
  return head
}

const broken = (code: 'log_missing_parent' | 'log_cycle', message: string, id: string): TenonError =>
  new TenonError({ code, message, action: 'Run `tenon session verify` to find the damaged place.' }, { id })
