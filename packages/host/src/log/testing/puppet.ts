// For tests: a process that a test stops at a chosen call to storage and lets go on when it likes.
import type { Steps } from './stepping-disk.ts'

export interface Puppet extends Steps {
  /** Stops before the `nth` call (from 1) of that name from now on; resolves when the process stands there. */
  stopBefore(name: string, nth?: number): Promise<void>
  /** Lets it go on. */
  go(): void
}

/** @param tears writes come in pieces, the first one 80 % */
export function createPuppet(tears = false): Puppet {
  let stop: { readonly name: string; left: number; readonly reached: () => void } | undefined
  let resume: () => void = () => undefined
  return {
    random: () => (tears ? 0.8 : 0),
    async call(name, act) {
      if (stop?.name === name && --stop.left === 0) {
        const { reached } = stop
        stop = undefined
        const resumed = new Promise<void>((resolve) => {
          resume = resolve
        })
        reached()
        await resumed
      }
      return act()
    },
    stopBefore(name, nth = 1) {
      return new Promise((reached) => {
        stop = { name, left: nth, reached }
      })
    },
    go: () => resume(),
  }
}
