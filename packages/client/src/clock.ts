// Time and randomness of the client, replaceable in tests. The same shape as core's Clock.

export interface ClientClock {
  /** Milliseconds. */
  now(): number
  /** Uniform in [0, 1). */
  random(): number
  /** Resolves at `at` or at once when it has passed; rejects with the signal's reason when aborted. */
  until(at: number, signal: AbortSignal): Promise<void>
}

export const systemClock: ClientClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  until: (at, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const leave = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
        Math.max(0, at - Date.now()),
      )
      signal.addEventListener('abort', leave, { once: true })
    }),
}

/** Milliseconds before try n (from 0): 250 doubled up to 15,000, ±20 %. */
export const backoff = (tries: number, random: number): number =>
  Math.min(15_000, 250 * 2 ** Math.min(tries, 10)) * (0.8 + 0.4 * random)
