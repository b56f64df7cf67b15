// Row 0, wake: no run is open. An unspent wish starts one; else rest.
import { limitsOf, type RunState } from '@tenon/projections'
import { append, type NextContext, rest, type Step } from './step.ts'

export function wake(state: RunState, { version }: NextContext): Step {
  const request = state.requests[0]
  if (!request) return rest('wake')
  return append('wake', [
    {
      type: 'run.started',
      by: 'harness',
      cause: request.id,
      request: request.id,
      version,
      limits: limitsOf(state.settings),
    },
  ])
}
