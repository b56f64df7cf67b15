// Ends a family of processes: its group first, then whoever carries its mark, gently, then not.
import { setTimeout as delay } from 'node:timers/promises'
import { type Family, type Found, findFamily, ignoresInterrupt } from './descendants.ts'

export interface Stage {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** Milliseconds to wait before the next stage. */
  readonly wait: number
}

export const interruptStages: readonly Stage[] = [
  { signal: 'SIGINT', wait: 2000 },
  { signal: 'SIGTERM', wait: 3000 },
  { signal: 'SIGKILL', wait: 1000 },
]

/** For what a command left behind: nobody waits for it. */
export const sweepStages: readonly Stage[] = [
  { signal: 'SIGTERM', wait: 1000 },
  { signal: 'SIGKILL', wait: 1000 },
]

/** Signals until nobody is left or the stages are over. Resolves to the pids that were found alive at any time. */
export async function endFamily(family: Family, stages: readonly Stage[]): Promise<readonly number[]> {
  const met = new Set<number>()
  for (const { signal, wait } of stages) {
    const until = performance.now() + wait
    let found = findFamily(family)
    const told = new Set<number>()
    for (let pause = 5; found.length > 0 && performance.now() < until; pause = Math.min(pause * 2, 100)) {
      tell(family, found, signal, told)
      for (const { pid } of found) met.add(pid)
      // Nobody left will hear the interrupt: waiting for them would only take time.
      if (signal === 'SIGINT' && found.every(({ pid }) => ignoresInterrupt(pid))) break
      await delay(pause)
      found = findFamily(family)
    }
    if (found.length === 0) break
  }
  return [...met].sort((a, b) => a - b)
}

/** Once a stage to each: what is forked meanwhile is told too. KILL goes to the whole group, so that no fork slips by. */
function tell(family: Family, found: readonly Found[], signal: Stage['signal'], told: Set<number>): void {
  const fresh = found.filter(({ pid }) => !told.has(pid))
  if (fresh.some(({ inGroup }) => inGroup)) send(-family.group, signal)
  for (const { pid, inGroup } of fresh) {
    told.add(pid)
    if (!inGroup) send(pid, signal)
  }
}

/** A stopped process takes a signal only once it goes on. */
function send(pid: number, signal: Stage['signal']): void {
  try {
    process.kill(pid, signal)
    process.kill(pid, 'SIGCONT')
  } catch {
    // Gone meanwhile.
  }
}
