// A scripted turn as the chunks of a Gemini stream, and as a whole response.
import type { FinishReason, Json, JsonObject } from '@tenon/protocol'
import { parsed } from '../anthropic/frames.ts'
import { chunksOf } from '../chunks.ts'
import type { Frame, WireReply } from '../format.ts'
import { callsOf } from '../wire/calls.ts'
import { countsOf } from '../wire/counts.ts'
import { objectOf } from '../wire/json.ts'
import { proofOf } from '../wire/proof.ts'

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  refused: 'SAFETY',
  interrupted: 'OTHER',
  error: 'MALFORMED_FUNCTION_CALL',
}

/** What signs a part: the call's name and arguments, or the whole text. */
export const signatureOf = (part: JsonObject): string =>
  proofOf('google', part.functionCall ? callText(objectOf(part.functionCall)) : String(part.text))

const callText = ({ name, args }: JsonObject): string => `${String(name)} ${JSON.stringify(args ?? {})}`

export function googleFrames(reply: WireReply): readonly Frame[] {
  const { turn, noise } = reply
  const size = turn.chunk ?? 64
  const frames: Frame[] = []
  const push = (part: JsonObject, delta = true) => frames.push(frame(reply, [part], delta))
  for (const part of partsOf(reply)) {
    const { text, thoughtSignature, ...rest } = part
    if (typeof text !== 'string') {
      push(part)
      continue
    }
    for (const piece of chunksOf(text, size)) {
      push({ text: piece, ...rest })
      if (noise === 'nulls') push({ text: null, functionCall: null, ...rest }, false)
    }
    // The signature of a text comes with an empty one, at its end.
    if (thoughtSignature !== undefined) push({ text: '', thoughtSignature }, false)
  }
  if (noise === 'no-delta')
    frames.splice(1, 0, { text: event({ responseId: reply.id, candidates: [{ index: 0 }] }), delta: false })
  const end = {
    responseId: reply.id,
    modelVersion: reply.model,
    candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: finishOf(reply) }],
    usageMetadata: usageOf(reply),
  }
  return [...frames, { text: event(end), delta: false }]
}

export const blankFrames = (reply: WireReply): readonly Frame[] => [
  { text: event({ responseId: reply.id, modelVersion: reply.model, candidates: [] }), delta: false },
]

export const whole = (reply: WireReply): JsonObject => ({
  responseId: reply.id,
  modelVersion: reply.model,
  candidates: [{ index: 0, content: { role: 'model', parts: partsOf(reply) }, finishReason: finishOf(reply) }],
  usageMetadata: usageOf(reply),
})

export const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`

const frame = ({ id, model }: WireReply, parts: readonly JsonObject[], delta: boolean): Frame => ({
  text: event({ responseId: id, modelVersion: model, candidates: [{ index: 0, content: { role: 'model', parts } }] }),
  delta,
})

/** Thoughts, text, calls. Who thought signs: the first call, or the text where there is no call. */
function partsOf(reply: WireReply): readonly JsonObject[] {
  const { reasoning, redacted, text } = reply.turn
  const thought = reasoning !== undefined
  const calls = callsOf(reply).map(({ id, name, text: args }, index): JsonObject => {
    const part = { functionCall: { ...(id && { id }), name, args: objectOf(parsed(args)) } }
    return thought && index === 0 ? { ...part, thoughtSignature: signatureOf(part) } : part
  })
  const said = text ? [{ text, ...(thought && !calls.length && { thoughtSignature: signatureOf({ text }) }) }] : []
  return [...(reasoning && !redacted ? [{ text: reasoning, thought: true }] : []), ...said, ...calls]
}

const finishOf = ({ turn }: WireReply): string => finishReasons[turn.finish ?? 'stop']

/** The wire's prompt holds the cached tokens; thoughts are counted beside the candidates. */
function usageOf(reply: WireReply): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = countsOf(reply)
  const prompt = input + cacheRead + cacheWrite
  return {
    promptTokenCount: prompt,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: prompt + output,
  }
}
