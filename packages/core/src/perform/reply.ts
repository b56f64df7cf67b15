// One reply as it streams: parts are gathered, fragments go out live, calls get their id and canonical tool at the end.
import type { Attempt } from '@tenon/projections'
import { type CallPart, type Draft, emptyUsage, type FinishReason, type Part } from '@tenon/protocol'
import type { ModelPart } from '../model.ts'
import { toCallPart } from './call-part.ts'
import type { PerformPorts } from './ports.ts'

export interface Reply {
  add(part: ModelPart): void
  finished(): boolean
  hasContent(): boolean
  /** Live fragments sent so far. */
  emitted(): number
  size(): { readonly chars: number; readonly calls: number }
  /** The message and its bill as one group. `cut` ends a reply that did not finish by itself. */
  drafts(ms: number, cut?: 'interrupted'): readonly Draft[]
}

interface Open {
  readonly index: number
  readonly kind: 'text' | 'reasoning' | 'call'
  text: string
  part: Part | null
  name: string
  wireId: string
}

export function createReply(ports: PerformPorts, attempt: Attempt): Reply {
  const slots: Open[] = []
  const open = new Map<string, Open>()
  const startedAt = ports.clock.now()
  let n = 0
  let firstMs = -1
  let responseId: string | undefined
  let responseModel: string | undefined
  let warnings: readonly string[] = []
  let finish: Extract<ModelPart, { type: 'finish' }> | undefined

  const begin = (id: string, kind: Open['kind'], name = '', wireId = '') => {
    const slot: Open = { index: slots.length, kind, text: '', part: null, name, wireId }
    slots.push(slot)
    open.set(`${kind}:${id}`, slot)
  }
  const grow = (id: string, kind: Open['kind'], text: string) => {
    if (!open.has(`${kind}:${id}`)) begin(id, kind)
    const slot = open.get(`${kind}:${id}`)
    if (!slot || text === '') return
    if (firstMs < 0) firstMs = ports.clock.now() - startedAt
    slot.text += text
    ports.emit({ type: 'message.delta', message: attempt.message, part: slot.index, kind, text, n: n++ })
  }
  const endCall = (part: Extract<ModelPart, { type: 'call.end' }>) => {
    if (!open.has(`call:${part.id}`)) begin(part.id, 'call')
    const slot = open.get(`call:${part.id}`)
    if (slot)
      slot.part = toCallPart(
        { ...part, wireId: slot.wireId },
        slots.filter(({ kind }) => kind === 'call').indexOf(slot),
        ports,
      )
  }
  const endReasoning = (part: Extract<ModelPart, { type: 'reasoning.end' }>) => {
    const slot = open.get(`reasoning:${part.id}`)
    if (!slot) return
    const { signature, redacted, meta } = part
    slot.part = {
      type: 'reasoning',
      text: slot.text,
      ...(signature !== undefined && { signature }),
      ...(redacted !== undefined && { redacted }),
      ...(meta !== undefined && { meta }),
    }
  }
  const parts = (): Part[] =>
    slots.flatMap((slot): Part[] => {
      if (slot.part) return [slot.part]
      if (slot.kind === 'text' && slot.text !== '') return [{ type: 'text', text: slot.text }]
      return slot.kind === 'reasoning' && slot.text !== '' ? [{ type: 'reasoning', text: slot.text }] : []
    })
  const calls = (): CallPart[] => parts().filter((part) => part.type === 'call')

  return {
    add(part) {
      if (part.type === 'text.start') begin(part.id, 'text')
      else if (part.type === 'text.delta') grow(part.id, 'text', part.text)
      else if (part.type === 'reasoning.start') begin(part.id, 'reasoning')
      else if (part.type === 'reasoning.delta') grow(part.id, 'reasoning', part.text)
      else if (part.type === 'reasoning.end') endReasoning(part)
      else if (part.type === 'call.start') begin(part.id, 'call', part.name, part.wireId)
      else if (part.type === 'call.delta') grow(part.id, 'call', part.text)
      else if (part.type === 'call.end') endCall(part)
      else if (part.type === 'meta') {
        responseId = part.responseId ?? responseId
        responseModel = part.model ?? responseModel
        warnings = [...warnings, ...(part.warnings ?? [])]
      } else if (part.type === 'finish') finish = part
    },
    finished: () => finish !== undefined,
    hasContent: () => parts().some((part) => part.type === 'call' || (part.type === 'text' && part.text.trim() !== '')),
    emitted: () => n,
    size: () => ({ chars: slots.reduce((sum, slot) => sum + slot.text.length, 0), calls: calls().length }),
    drafts(ms, cut) {
      const reason: FinishReason = cut ?? reasonOf(finish?.reason, calls().length)
      const whole = reason === 'length' ? markCut(parts()) : parts()
      const estimated = !finish?.usage
      const chars = slots.reduce((sum, slot) => sum + slot.text.length, 0)
      const usage = finish?.usage ?? { ...emptyUsage, output: Math.ceil(chars / 4) }
      return [
        {
          type: 'message.added',
          by: 'agent',
          role: 'assistant',
          parts: whole,
          model: attempt.model,
          provider: providerOf(attempt.model),
          attempt: attempt.id,
          finish: reason,
          ...(responseId !== undefined && { responseId }),
        },
        {
          type: 'model.finished',
          by: 'harness',
          attempt: attempt.id,
          purpose: attempt.purpose,
          usage,
          cost: finish?.cost ?? { nanoUsd: null, source: 'unknown' },
          finish: reason,
          firstMs: Math.max(0, firstMs),
          ms: Math.max(0, ms),
          ...(responseModel !== undefined && { responseModel }),
          ...(estimated && { estimated }),
          warnings,
        },
      ]
    },
  }
}

/** Providers say `stop` with calls, and `calls` without: what the reply holds decides. */
function reasonOf(reason: FinishReason | undefined, calls: number): FinishReason {
  if (reason === 'length' || reason === 'refused' || reason === 'error') return reason
  return calls > 0 ? 'calls' : 'stop'
}

/** Arguments that the output limit cut are never run, however well they parse. */
function markCut(parts: readonly Part[]): Part[] {
  const last = parts.findLastIndex((part) => part.type === 'call')
  return parts.map((part, i) =>
    i === last && i === parts.length - 1 && part.type === 'call'
      ? {
          ...part,
          invalid: {
            code: 'args_cut',
            message: 'The call was cut by the output limit. Send it again in smaller pieces.',
          },
        }
      : part,
  )
}

const providerOf = (model: string): string => {
  const at = model.search(/[/:]/)
  return at < 0 ? model : model.slice(0, at)
}
