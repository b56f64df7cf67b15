// next(state, now, answerer): orders → batch → owed → pay → act. Rows are tried from the top, the first that holds decides.
// Pure: the same state gives the same step, whoever computes it and whenever.
import type { RunState } from '@tenon/projections'
import { act } from './act.ts'
import { batch } from './batch.ts'
import { ongoing } from './ongoing.ts'
import { orders } from './orders.ts'
import { finish, owed } from './owed.ts'
import { pay } from './pay.ts'
import { type NextContext, rest, type Step } from './step.ts'
import { wake } from './wake.ts'

export function next(state: RunState, context: NextContext): Step {
  const { run } = state
  if (!run) return wake(state, context)
  const open = { ...state, run }
  return (
    orders(open, context) ??
    batch(open, context) ??
    attempt(open) ??
    owed(open, context) ??
    (state.branch.owed === null ? finish(open, context) : null) ??
    pay(open, context) ??
    act(open, context)
  )
}

/** Row 9: while an attempt is open, nothing is decided about what follows it. */
const attempt = (state: RunState): Step | null => (state.attempts.length > 0 ? rest('attempt', ongoing(state)) : null)
