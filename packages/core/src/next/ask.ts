// What an ask leads to when nobody answers, by kind: the last column of the ask table.
import { findCall, type OpenAsk, type RunState } from '@tenon/projections'
import type { Draft } from '@tenon/protocol'
import { closeAsk, deniedResult, finished } from './close.ts'

export function nobody(state: RunState, ask: OpenAsk): Draft[] {
  const closed = closeAsk(ask.id, 'expired')
  const call = ask.ref && findCall(state.batch, ask.ref)
  if (!ask.ref || !call?.judged) return [closed]
  if (ask.kind === 'question') {
    const content = [
      {
        type: 'error',
        code: 'ask_none',
        message: 'Nobody is here to answer.',
        next: 'Decide yourself and state the assumption.',
      },
    ] as const
    return [closed, finished(ask.ref, { by: 'harness', status: 'error', unstarted: 'ask', content })]
  }
  const { input, inputHash, repairs, kind, resources, timeoutMs } = call.judged
  return [
    closed,
    {
      type: 'tool.judged',
      by: 'harness',
      ref: ask.ref,
      verdict: 'deny',
      decidedBy: { stage: 'noAnswerer', id: 'noAnswerer' },
      parts: [],
      trail: [{ stage: 'noAnswerer', verdict: 'deny', id: 'noAnswerer' }],
      reasons: ['Nobody is here to answer, so an ask means deny.'],
      inputHash,
      input,
      repairs,
      kind,
      resources,
      timeoutMs,
    },
    deniedResult(
      ask.ref,
      `Denied: ${ask.title} Nobody is here to approve it.`,
      'Do without it, or say in the end what you would have needed.',
    ),
  ]
}
