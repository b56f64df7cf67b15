// Begun effects that are running by the log: open attempts and started calls. Leaving a key out aborts its effect.
import type { RunState } from '@tenon/projections'
import type { Effect } from './step.ts'

export function ongoing(state: RunState): readonly Effect[] {
  const models = state.attempts.map(
    (attempt) => ({ type: 'model', key: `model:${attempt.id}`, begun: true, attempt }) as const,
  )
  const calls = (state.batch?.calls ?? []).filter((call) => call.state === 'running')
  const tools = calls.map(
    (call) => ({ type: 'tool', key: `tool:${call.ref.message}:${call.ref.call}`, begun: true, call }) as const,
  )
  return [...models, ...tools]
}
