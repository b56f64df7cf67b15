// A streamed reply as the message that core would store: parts in order, seals and opaque data kept, own call ids. For tests.
import type { ModelMessage, ModelPart } from '@tenon/core'
import type { Json, Part } from '@tenon/protocol'

let ids = 0

export function replyOf(parts: readonly ModelPart[], provider: string, model: string): ModelMessage {
  const texts = new Map<string, string>()
  const stored = parts.flatMap((part): readonly Part[] => {
    switch (part.type) {
      case 'text.delta':
      case 'reasoning.delta':
        texts.set(part.id, (texts.get(part.id) ?? '') + part.text)
        return []
      case 'text.end':
        return [{ type: 'text', text: texts.get(part.id) ?? '' }]
      case 'reasoning.end': {
        const { id, ...sealed } = part
        return [{ ...sealed, type: 'reasoning', text: texts.get(id) ?? '' }]
      }
      case 'call.end': {
        const { name, text, meta } = part
        const input: Json = JSON.parse(text)
        const call = { type: 'call' as const, id: `call_${ids++}`, name, tool: name, input, repairs: [] }
        return [{ ...call, ...(meta !== undefined && { meta }) }]
      }
      default:
        return []
    }
  })
  return { role: 'assistant', parts: stored, provider, model: `${provider}/${model}` }
}

/** One result a call, in call order; `undefined` when there is no call. */
export function resultsOf(reply: ModelMessage, text: string): ModelMessage | undefined {
  const calls = reply.role === 'assistant' ? reply.parts.filter((part) => part.type === 'call') : []
  if (!calls.length) return undefined
  return {
    role: 'tool',
    results: calls.map(({ id, name }) => ({ call: id, name, status: 'ok', content: [{ type: 'text', text }] })),
  }
}
