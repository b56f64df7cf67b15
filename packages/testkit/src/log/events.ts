// Well-formed small events for tests of the log: what is in them does not matter, that they come back equal does.
import type { Group } from '@tenon/core'
import type { EventId, EventOf } from '@tenon/protocol'

export type LogTestEvent = EventOf<'session.configured'>

/** A ledger event at `seq`; its id tells which writer made it. */
export function logEvent(seq: number, writer = 'a', text = `text of ${seq}`): LogTestEvent {
  return {
    v: 1,
    seq,
    id: `ev_${writer}${String(seq).padStart(6, '0')}` satisfies EventId,
    at: 1_700_000_000_000 + seq,
    by: 'harness',
    type: 'session.configured',
    set: { title: text },
    was: {},
    source: 'flag',
  }
}

/** A group of `count` events from `seq`. */
export const logGroup = (seq: number, count: number, writer = 'a'): Group =>
  Array.from({ length: count }, (_, index) => logEvent(seq + index, writer))
