// How a log under test sees its process: each call to storage passes through here, so that a test can stop it there.
import type { Log } from '@tenon/core'

export interface LogProcess {
  /** Performs one call to storage when it is this process's turn. Never settles once the process is dead. */
  call<T>(name: string, act: () => Promise<T>): Promise<T>
  /** Uniform in [0, 1), from the test's seed: where a write tears. */
  random(): number
}

/** A process that nobody stops. */
export const freeProcess: LogProcess = { call: (_name, act) => act(), random: () => 0.5 }

/** The storage of one session, as several processes see it. */
export interface LogWorld {
  /** The log as one more process sees it. */
  open(process?: LogProcess): Log
  /** Ends all processes and removes what they stored. */
  dispose(): Promise<void>
}

/** Small, repeatable randomness (mulberry32). @returns uniform in [0, 1) */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
