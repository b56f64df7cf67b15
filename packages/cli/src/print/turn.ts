// Which run answers a command that this process sent, and when it has ended: a fold of the ledger from that command on.
import type { Event, EventOf } from '@tenon/protocol'

export interface Turn {
  /** Ids of what the command appended: the message that waits and the wish for a run. */
  readonly message: string | null
  readonly request: string | null
  /** The wish was spent, or the message delivered: the next end of a run is ours. */
  readonly taken: boolean
  readonly over: EventOf<'run.ended'> | 'stopped' | 'withdrawn' | null
}

/** `running`: the command asked for nothing new because a run is open; its end is ours. */
export const startTurn = (running: boolean): Turn => ({ message: null, request: null, taken: running, over: null })

/** @param own whether the event is one that the command itself appended */
export function foldTurn(turn: Turn, event: Event, own: boolean): Turn {
  if (turn.over) return turn
  switch (event.type) {
    case 'message.queued':
      return own ? { ...turn, message: event.id } : turn
    case 'run.requested':
      return own ? { ...turn, request: event.id } : turn
    case 'message.added':
      return event.queued !== undefined && event.queued === turn.message ? { ...turn, taken: true } : turn
    case 'run.started':
      return turn.request === null ? turn : { ...turn, taken: true }
    case 'message.withdrawn':
      return event.queued === turn.message ? { ...turn, over: 'withdrawn' } : turn
    case 'run.stopping':
      if (event.run === undefined) return turn.request !== null && !turn.taken ? { ...turn, over: 'stopped' } : turn
      return turn.request === null ? turn : { ...turn, taken: true }
    case 'run.ended':
      return turn.taken ? { ...turn, over: event } : turn
    default:
      return turn
  }
}
