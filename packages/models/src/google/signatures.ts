// Thought signatures on their way back: each to the part that it was on.
// Facts: https://ai.google.dev/gemini-api/docs/thought-signatures (the stand-in is for calls that another model made)
import type { ModelMessage } from '@tenon/core'
import type { Json, JsonObject } from '@tenon/protocol'
import { isOwn } from '../prompt/to-prompt.ts'
import type { ModelFacts } from '../wire/facts.ts'
import { listOf, objectOf, textOf, toObject } from '../wire/json.ts'

const standIn = 'skip_thought_signature_validator'

type Reply = Extract<ModelMessage, { role: 'assistant' }>

/** The n-th content of the model is the n-th reply of the request. */
export function withSignatures(
  contents: readonly Json[],
  replies: readonly Reply[],
  model: ModelFacts,
): readonly Json[] {
  let place = 0
  return contents.map((value) => {
    const content = objectOf(value)
    if (content.role !== 'model') return content
    const reply = replies[place++]
    const own = reply && isOwn(reply, model) ? reply : undefined
    return { ...content, parts: signed(listOf(content.parts).map(objectOf), own, model) }
  })
}

function signed(parts: readonly JsonObject[], reply: Reply | undefined, { quirks }: ModelFacts): readonly JsonObject[] {
  const ofText = reply?.parts.findLast((part) => part.type === 'reasoning' && objectOf(part.meta).of === 'text')
  const signature = ofText?.type === 'reasoning' ? textOf(objectOf(ofText.meta).thoughtSignature) : ''
  const lastText = parts.findLastIndex((part) => typeof part.text === 'string' && part.thought !== true)
  const firstCall = parts.findIndex((part) => toObject(part.functionCall))
  return parts.map((part, place) => {
    if (place === lastText && signature) return { ...part, thoughtSignature: signature }
    if (place !== firstCall || part.thoughtSignature !== undefined || !quirks.signedCalls) return part
    return { ...part, thoughtSignature: standIn }
  })
}
