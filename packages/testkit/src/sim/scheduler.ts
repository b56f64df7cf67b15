// Virtual time: nothing happens between two ticks but promises, so a seed decides every order.
import type { Clock } from '@tenon/core'
import type { Random } from './random.ts'

export interface Scheduler {
  readonly clock: Clock
  /** A clock whose timers end with the process that owns it. */
  processClock(alive: () => boolean): Clock
  /** Runs promises until none is ready. */
  settle(): Promise<void>
  /** Goes to the next timer; false when there is none. */
  advance(): Promise<boolean>
  pending(): number
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
  readonly alive: () => boolean
}

export function createScheduler(random: Random, startAt = 1_000_000): Scheduler {
  let now = startAt
  let order = 0
  let timers: Timer[] = []
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const processClock = (alive: () => boolean): Clock => ({
    now: () => now,
    random: () => random.next(),
    until: (at, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (at <= now) return resolve()
        const stop = () => {
          timers = timers.filter((other) => other !== timer)
          reject(signal.reason)
        }
        const timer: Timer = {
          at,
          order: order++,
          alive,
          fire: () => {
            signal.removeEventListener('abort', stop)
            resolve()
          },
        }
        signal.addEventListener('abort', stop, { once: true })
        timers.push(timer)
      }),
  })
  return {
    clock: processClock(() => true),
    processClock,
    settle,
    pending: () => timers.filter(({ alive }) => alive()).length,
    async advance() {
      timers = timers.filter(({ alive }) => alive())
      const due = timers.reduce<Timer | undefined>(
        (best, timer) =>
          !best || timer.at < best.at || (timer.at === best.at && timer.order < best.order) ? timer : best,
        undefined,
      )
      if (!due) return false
      timers = timers.filter((timer) => timer !== due)
      now = Math.max(now, due.at)
      due.fire()
      await settle()
      return true
    },
  }
}
