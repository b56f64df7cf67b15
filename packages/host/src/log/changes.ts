// Waits for the log to grow: by a notice from the file system where there is one, by looking each 250 ms in any case.
import { join } from 'node:path'
import type { Look } from './chain.ts'
import type { Disk } from './disk/disk.ts'
import { segmentName, segmentNumbers } from './segment.ts'

const pollMs = 250

export interface Changes {
  /** Resolves when more may be there than `seen` saw and `seen` does not reach `from`, or when the signal aborts. */
  wait(from: number, seen: () => Promise<Look>, signal: AbortSignal): Promise<void>
  /** Something of this process was stored: waiters look at once. */
  wake(): void
  close(): void
}

export function createChanges(disk: Disk, dir: string): Changes {
  const wakers = new Set<() => void>()
  let unwatch: (() => void) | undefined
  const wake = () => {
    for (const waker of [...wakers]) waker()
  }

  /** True when the highest segment is another one, or longer, than the look saw. */
  async function isNewer(look: Look): Promise<boolean> {
    const top = segmentNumbers(await disk.list(dir))[0] ?? 0
    if (top !== look.top) return true
    return top > 0 && ((await disk.stat(join(dir, segmentName(top))))?.size ?? 0) !== look.topBytes
  }

  /** Until a notice, 250 ms, or the signal. */
  function pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        wakers.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, pollMs)
      wakers.add(done)
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })
  }

  return {
    async wait(from, seen, signal) {
      unwatch ??= disk.watch(dir, wake)
      while (!signal.aborted) {
        const look = await seen()
        if (look.end > from || (await isNewer(look))) return
        await pause(signal)
      }
    },
    wake,
    close() {
      unwatch?.()
      unwatch = undefined
      wake()
    },
  }
}
