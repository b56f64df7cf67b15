// What ends a headless run from outside: signals, and a standard output that nobody reads any more.
import { readFileSync } from 'node:fs'
import { type StopSignal, signalExitCodes } from '../exit-code.ts'

/** A second INT within this time ends at once; a run that was told to stop gets this long (ms). */
const twiceMs = 2_000
const graceMs = 4_500

export interface Stop {
  /** Aborts at the first of them. */
  readonly asked: AbortSignal
  /** Aborts when the time to stop properly is over. */
  readonly overdue: AbortSignal
  reason(): StopSignal | undefined
  /** Standard output was closed. */
  closed(): void
  /** Stops listening. */
  dispose(): void
}

export function watchSignals(): Stop {
  const asked = new AbortController()
  const overdue = new AbortController()
  let reason: StopSignal | undefined
  let at = 0
  let timer: NodeJS.Timeout | undefined
  const onSignal = (signal: StopSignal) => {
    const now = performance.now()
    if (reason === 'SIGINT' && signal === 'SIGINT' && now - at < twiceMs) exitNow(signalExitCodes.SIGINT)
    at = now
    if (reason) return
    reason = signal
    timer = setTimeout(() => overdue.abort(), graceMs)
    asked.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  const closed = () => onSignal('SIGPIPE')
  process.stdout.on('error', closed)
  // Nobody hears what is said on a closed standard error; that ends nothing.
  process.stderr.on('error', () => {})
  return {
    asked: asked.signal,
    overdue: overdue.signal,
    reason: () => reason,
    closed,
    dispose: () => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}

/** Leaves without a farewell; what this process started goes with it, groups of their own included. */
export function exitNow(code: number): never {
  for (const pid of descendantsOf(process.pid)) {
    kill(-pid)
    kill(pid)
  }
  process.exit(code)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // No group of its own, or gone already.
  }
}

const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
