// Reads the chunks of a Gemini stream: each is a whole response with the parts that are new.
// Facts: https://ai.google.dev/api/generate-content, https://ai.google.dev/gemini-api/docs/thought-signatures
import type { FinishReason, JsonObject, Usage } from '@tenon/protocol'
import { countOf, listOf, objectOf, textOf, toObject } from '../wire/json.ts'
import type { Piece, ReplyReader } from '../wire/reader.ts'

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'refused',
  RECITATION: 'refused',
  LANGUAGE: 'refused',
  BLOCKLIST: 'refused',
  PROHIBITED_CONTENT: 'refused',
  SPII: 'refused',
  IMAGE_SAFETY: 'refused',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  OTHER: 'error',
}

export function createGoogleReader(): ReplyReader {
  let named = false
  let calls = 0

  const part = (value: JsonObject): readonly Piece[] => {
    const signature = textOf(value.thoughtSignature)
    const call = toObject(value.functionCall)
    if (call) {
      const meta = signature ? { meta: { thoughtSignature: signature } } : {}
      const delta = {
        index: calls++,
        wireId: textOf(call.id),
        name: textOf(call.name),
        text: JSON.stringify(call.args ?? {}),
      }
      return [{ type: 'calls', deltas: [{ ...delta, ...meta }] }]
    }
    const text = textOf(value.text)
    if (value.thought === true)
      return [
        { type: 'reasoning', text },
        ...(signature ? [{ type: 'seal' as const, meta: { thoughtSignature: signature } }] : []),
      ]
    // A signature on text is kept as an empty thought behind it.
    const kept = { type: 'seal' as const, meta: { thoughtSignature: signature, of: 'text' } }
    return [{ type: 'text', text }, ...(signature ? [kept] : [])]
  }

  return {
    read(chunk) {
      const { responseId, modelVersion, usageMetadata, promptFeedback } = chunk
      const [first] = listOf(chunk.candidates)
      const candidate = objectOf(first)
      const meta = !named && textOf(responseId)
      named ||= Boolean(meta)
      const reason = textOf(objectOf(promptFeedback).blockReason) ? 'refused' : reasons[textOf(candidate.finishReason)]
      return [
        ...(meta
          ? [
              {
                type: 'meta' as const,
                responseId: textOf(responseId),
                ...(textOf(modelVersion) && { model: textOf(modelVersion) }),
              },
            ]
          : []),
        ...listOf(objectOf(candidate.content).parts).flatMap((value) => part(objectOf(value))),
        ...(usageMetadata ? [{ type: 'usage' as const, usage: toUsage(objectOf(usageMetadata)) }] : []),
        ...(reason ? [{ type: 'finish' as const, reason }] : []),
      ]
    },
  }
}

/** The wire's prompt holds the cached tokens; thoughts are counted beside the candidates. */
function toUsage(raw: JsonObject): Usage {
  const cacheRead = countOf(raw.cachedContentTokenCount)
  const reasoning = countOf(raw.thoughtsTokenCount)
  return {
    input: Math.max(0, countOf(raw.promptTokenCount) + countOf(raw.toolUsePromptTokenCount) - cacheRead),
    cacheRead,
    cacheWrite: 0,
    output: countOf(raw.candidatesTokenCount) + reasoning,
    reasoning,
  }
}

/** A whole response is its own only chunk. */
export const wholeGoogle = (body: JsonObject): readonly JsonObject[] | undefined =>
  Array.isArray(body.candidates) || toObject(body.promptFeedback) ? [body] : undefined
