// A clock that stands still until it is moved: waits become due in order of time.
import type { Clock } from '@tenon/core'

export interface TestClock extends Clock {
  /** Moves time on by `ms` and lets everything that falls due run. */
  advance(ms: number): Promise<void>
  /** Waits that are not yet due. */
  waiting(): number
}

export function createTestClock(start = 1_700_000_000_000): TestClock {
  const waits = new Set<{ readonly at: number; readonly due: () => void }>()
  let now = start
  return {
    now: () => now,
    random: () => 0.5,
    waiting: () => waits.size,
    until: (at, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (at <= now) return resolve()
        const leave = () => {
          waits.delete(wait)
          reject(signal.reason)
        }
        const wait = {
          at,
          due: () => {
            waits.delete(wait)
            signal.removeEventListener('abort', leave)
            resolve()
          },
        }
        waits.add(wait)
        signal.addEventListener('abort', leave, { once: true })
      }),
    advance: async (ms) => {
      const end = now + ms
      await settle()
      for (;;) {
        const next = [...waits].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        now = next.at
        next.due()
        await settle()
      }
      now = end
      await settle()
    },
  }
}

/** Lets everything run that only waits for promises, also those of streams, which take a few turns. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 0))
}
