// Port: time and randomness. Nothing else in core may read a clock or roll a die.
export interface Clock {
  /** Milliseconds UTC. */
  now(): number
  /** Uniform in [0, 1). */
  random(): number
  /** Resolves at `at` (ms UTC) or at once when it has passed; rejects with the signal's reason when aborted. */
  until(at: number, signal: AbortSignal): Promise<void>
}
