// The open batch: the calls of the newest message, from unjudged to done.
import type { CallPart, CallRef, EventOf, Hash } from '@tenon/protocol'
import { resultPartOf } from '../context/view.ts'
import type { Batch, Branch, Call } from './state.ts'

/** The batch that a message opens, or `null` when it makes no call. */
export function openBatch(event: EventOf<'message.added'>, branch: Branch): Batch | null {
  const parts = event.parts.filter((part) => part.type === 'call')
  if (parts.length === 0) return null
  return {
    message: event.id,
    by: event.role === 'assistant' ? 'agent' : 'person',
    windDown: branch.windDown === 'said',
    calls: parts.map((part) => toCall(part, event.id)),
  }
}

const toCall = (part: CallPart, message: EventOf<'message.added'>['id']): Call => ({
  ref: { message, call: part.id, tool: part.tool },
  name: part.name,
  wireId: part.wireId,
  written: part.input,
  input: part.input,
  raw: part.raw,
  invalid: part.invalid,
  state: 'unjudged',
  judged: null,
  approved: false,
  ask: null,
  result: null,
})

/** The call that all three identities name, or `undefined`. */
export const findCall = (batch: Batch | null, ref: CallRef): Call | undefined =>
  batch?.message === ref.message
    ? batch.calls.find((call) => call.ref.call === ref.call && call.ref.tool === ref.tool)
    : undefined

export function changeCall(batch: Batch | null, ref: CallRef, change: (call: Call) => Call): Batch | null {
  const target = findCall(batch, ref)
  if (!batch || !target) return batch
  return { ...batch, calls: batch.calls.map((call) => (call === target ? change(call) : call)) }
}

export const judgeCall = (call: Call, event: EventOf<'tool.judged'>, verdicts: number): Call => ({
  ...call,
  state: event.verdict === 'ask' ? 'asked' : event.verdict === 'allow' ? 'allowed' : call.state,
  approved: call.approved || event.decidedBy.stage === 'person',
  judged: {
    input: event.input,
    inputHash: event.inputHash,
    kind: event.kind,
    resources: event.resources,
    accesses: event.parts.flatMap(({ access }) => access ?? []),
    timeoutMs: event.timeoutMs,
    repairs: event.repairs,
    verdicts,
  },
})

export const finishCall = (call: Call, event: EventOf<'tool.finished'>, hash: Hash): Call => ({
  ...call,
  state: 'done',
  result: resultPartOf(event, hash),
})

export const isComplete = (batch: Batch): boolean => batch.calls.every((call) => call.state === 'done')
