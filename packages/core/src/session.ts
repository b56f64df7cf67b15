// What the outside holds of a session: commands in, durable events and live fragments out.

import type { RunState } from '@tenon/projections'
import type { Command, Event, Live, Outcome, SessionId } from '@tenon/protocol'

/** Who sent a command. */
export interface Sender {
  /** Token or OS user. */
  readonly actor?: string
  /** Kind of front end: `headless`, `tui`, `sdk`, … */
  readonly client?: string
}

export interface Session {
  readonly id: SessionId
  /** The newest durable state; what left the process never runs ahead of it. */
  state(): RunState
  /** Seq of the newest durable event, −1 for an empty log. */
  durable(): number
  /** Resolves when the outcome is durable: acceptances and refusals alike wait for what they were decided on. */
  command(command: Command, sender: Sender): Promise<Outcome>
  /** Durable events `from ≤ seq ≤ to`, in order; at most 500. */
  read(from: number, to: number): Promise<readonly Event[]>
  /** Resolves when `durable() > after` or the signal aborts. */
  changed(after: number, signal: AbortSignal): Promise<void>
  /** Live fragments from now on. A reader that lags loses the oldest: fragments are droppable. Ends with the signal. */
  live(signal: AbortSignal): AsyncIterable<Live>
  /** What is partly there now: the accumulated text of open messages and tool outputs, as one fragment each. */
  partial(): readonly Live[]
  /**
   * Attaches somebody who can answer asks until the signal aborts. `wait` keeps asks open with nobody here.
   * Without any, an ask means deny.
   */
  attachAnswerer(signal: AbortSignal): void
  /** Rests: no run open, nothing waiting to start. Resolves at once when so, else when it is; rejects when the session failed. */
  rest(signal: AbortSignal): Promise<void>
  /** Ends the loop, waits for what runs (≤ 5 s), releases the lease. */
  close(): Promise<void>
}
