// The Clock port: this machine's time, its randomness, timers that obey a signal.
import type { Clock } from '@tenon/core'

/** The longest delay that a timer of the runtime takes; longer waits are made of several. */
const longestMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  until(at, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      let timer: NodeJS.Timeout | undefined
      const leave = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const wait = () => {
        const left = at - Date.now()
        if (left > 0) timer = setTimeout(wait, Math.min(left, longestMs))
        else {
          signal.removeEventListener('abort', leave)
          resolve()
        }
      }
      signal.addEventListener('abort', leave, { once: true })
      wait()
    })
  },
}
