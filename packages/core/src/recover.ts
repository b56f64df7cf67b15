// Recovery: the group that a new owner appends before its first `next`. Ordinary events; with nothing orphaned there are none.
import type { RunState } from '@tenon/projections'
import type { Draft } from '@tenon/protocol'
import { cancelledResult, unknownResult } from './next/close.ts'
import { runEnded } from './next/end.ts'

/** @param now ms UTC; @param roll random, 0 to 1, stored with attempts that were cut off */
export function recover(state: RunState, now: number, roll: number): Draft[] {
  const { run } = state
  const calls = state.batch?.calls ?? []
  const started = calls.filter((call) => call.state === 'running').map((call) => unknownResult(call.ref))
  // With no run open the batch was left on purpose (paused, asked): its calls go on with the next run.
  const waiting = run ? calls.filter((call) => call.state === 'unjudged' || call.state === 'allowed') : []
  const cancelled = waiting.map((call) => cancelledResult(call.ref, 'Tenon stopped before it could start'))
  const attempts = state.attempts.map(
    (attempt): Draft => ({
      type: 'model.failed',
      by: 'harness',
      attempt: attempt.id,
      purpose: attempt.purpose,
      roll,
      failure: {
        code: 'interrupted',
        class: 'interrupted',
        message: 'Tenon stopped while the model replied.',
        action: 'Go on with `tenon -c`.',
        retryable: true,
      },
    }),
  )
  const ended: Draft[] = run
    ? [
        runEnded({ ...state, run }, 'recover', Math.max(now, run.startedAt), {
          outcome: 'failed',
          failure: {
            code: 'crashed',
            message: 'Tenon stopped during the run.',
            action: 'Go on with `tenon -c`.',
            retryable: true,
          },
        }),
      ]
    : []
  return [...started, ...cancelled, ...attempts, ...ended]
}
