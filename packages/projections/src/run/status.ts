// One word for what a session is doing. "Running" is never stored: it needs a living owner, which the caller knows.
import type { RunState } from './state.ts'

export type Status =
  | 'broken'
  | 'waiting'
  | 'retrying'
  | 'running'
  | 'paused'
  | 'interrupted'
  | 'stuck'
  | 'limit'
  | 'refused'
  | 'failed'
  | 'asked'
  | 'done'
  | 'idle'

/** @param live whether a living owner holds the lease */
export function status(state: RunState, live: boolean): Status {
  if (state.run && !live) return 'broken'
  const running = state.batch?.calls.some((call) => call.state === 'running') || state.attempts.length > 0
  if (state.asks.length > 0 && !running) return 'waiting'
  if (state.run && state.failures && state.attempts.length === 0) return 'retrying'
  if (state.run) return 'running'
  if (state.halted) return state.halted === 'pause' ? 'paused' : 'interrupted'
  return state.last?.outcome ?? 'idle'
}

/** At rest: nothing runs and nothing asks to. */
export const isResting = (state: RunState): boolean => state.run === null && state.requests.length === 0
