// Results without a run: calls that are cancelled, denied or cannot run, and asks that close with them.
import type { Call, RunState } from '@tenon/projections'
import type { By, CallRef, Draft, DraftOf, EventId, Json, ResultPart, ToolStatus } from '@tenon/protocol'

interface Ending {
  readonly by: By
  readonly status: ToolStatus
  readonly content: readonly ResultPart[]
  readonly unstarted?: 'ask' | 'emit' | 'invalid'
  readonly structured?: Json
}

/** The one result of a call that did not run here. */
export function finished(ref: CallRef, ending: Ending): DraftOf<'tool.finished'> {
  const chars = ending.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  return { type: 'tool.finished', ref, shown: chars, total: chars, ms: 0, ...ending }
}

const problem = (code: string, message: string, next: string): ResultPart => ({ type: 'error', code, message, next })

export const cancelledResult = (ref: CallRef, reason: string): DraftOf<'tool.finished'> =>
  finished(ref, {
    by: 'harness',
    status: 'cancelled',
    content: [problem('cancelled', `Not run: ${reason}.`, 'Go on from here; repeat it only if it is still needed.')],
  })

export const deniedResult = (ref: CallRef, message: string, next: string): DraftOf<'tool.finished'> =>
  finished(ref, { by: 'harness', status: 'denied', content: [problem('denied', message, next)] })

export const invalidResult = (ref: CallRef, code: string, message: string): DraftOf<'tool.finished'> =>
  finished(ref, {
    by: 'harness',
    status: 'error',
    unstarted: 'invalid',
    content: [problem(code, message, 'Correct the call and send it again.')],
  })

export const unknownResult = (ref: CallRef): DraftOf<'tool.finished'> =>
  finished(ref, {
    by: 'harness',
    status: 'unknown',
    content: [
      problem(
        'outcome_unknown',
        'Tenon stopped while this call ran: it may have taken effect.',
        'Check the state before repeating it.',
      ),
    ],
  })

export const closeAsk = (ask: EventId, how: 'cancelled' | 'expired' | 'rejudged'): Draft => ({
  type: 'ask.closed',
  by: 'harness',
  ask,
  how,
})

/** Closes the calls of the open batch that have no result and are chosen by `which`, with their asks. */
export function cancelCalls(state: RunState, reason: string, which: (call: Call) => boolean): Draft[] {
  const calls = (state.batch?.calls ?? []).filter(
    (call) => call.state !== 'done' && call.state !== 'running' && which(call),
  )
  const asks = state.asks.filter((ask) => ask.ref && calls.some((call) => call.ref.call === ask.ref?.call))
  return [
    ...asks.map((ask) => closeAsk(ask.id, 'cancelled')),
    ...calls.map((call) => cancelledResult(call.ref, reason)),
  ]
}
