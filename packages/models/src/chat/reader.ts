// Reads the chunks of a chat stream: text, reasoning in whichever field it comes, calls by index, usage, finish.
import type { FinishReason, Json, JsonObject } from '@tenon/protocol'
import type { ModelFacts } from '../wire/facts.ts'
import { listOf, objectOf, textOf, toObject } from '../wire/json.ts'
import type { CallDelta, Piece, ReplyReader } from '../wire/reader.ts'
import { createDetails } from './details.ts'
import { createThinkSplitter } from './think.ts'
import { usagePiece } from './usage.ts'

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refused',
  tool_calls: 'calls',
  function_call: 'calls',
  error: 'error',
  insufficient_system_resource: 'error',
}

export function createChatReader({ quirks }: ModelFacts): ReplyReader {
  const think = quirks.thinkTags ? createThinkSplitter() : undefined
  const details = createDetails()
  let named = false
  let refused = false

  const metaOf = ({ id, model }: JsonObject): readonly Piece[] => {
    if (named || !(textOf(id) || textOf(model))) return []
    named = true
    return [
      { type: 'meta', ...(textOf(id) && { responseId: textOf(id) }), ...(textOf(model) && { model: textOf(model) }) },
    ]
  }

  const deltaPieces = (delta: JsonObject): readonly Piece[] => {
    const reasoning = details.take(delta) || reasoningOf(delta)
    const { text, thought } = contentOf(delta.content)
    const refusal = textOf(delta.refusal)
    refused ||= refusal !== ''
    const texts: readonly Piece[] = [...(think ? think.take(text) : [{ type: 'text' as const, text }])]
    const calls = listOf(delta.tool_calls).map(readCall)
    const begins = text !== '' || calls.length > 0
    return [
      { type: 'reasoning', text: reasoning + thought },
      ...(begins ? details.seal() : []),
      ...texts,
      { type: 'text', text: refusal },
      ...(calls.length && think ? think.end() : []),
      { type: 'calls', deltas: calls },
    ]
  }

  const finishPieces = (said: Json | undefined): readonly Piece[] => {
    const reason = reasons[textOf(said)]
    if (!textOf(said)) return []
    return [
      ...(think?.end() ?? []),
      ...details.seal(),
      ...(reason ? [{ type: 'finish' as const, reason: refused ? ('refused' as const) : reason }] : []),
    ]
  }

  return {
    read(chunk) {
      const [first] = listOf(chunk.choices)
      const choice = objectOf(first)
      const usage = toObject(chunk.usage) ?? toObject(objectOf(chunk.x_groq).usage)
      return [
        ...metaOf(chunk),
        ...deltaPieces(objectOf(choice.delta)),
        ...finishPieces(choice.finish_reason),
        ...(usage && ('prompt_tokens' in usage || 'completion_tokens' in usage) ? [usagePiece(usage)] : []),
      ]
    },
  }
}

/** `reasoning_content` (DeepSeek, Kimi, GLM, vLLM) or `reasoning` (OpenRouter, Groq, Cerebras, Ollama). */
const reasoningOf = (delta: JsonObject): string => textOf(delta.reasoning_content) || textOf(delta.reasoning)

/** A string, or (Mistral) a list of parts of which some are thoughts. */
function contentOf(content: Json | undefined): { readonly text: string; readonly thought: string } {
  if (typeof content === 'string') return { text: content, thought: '' }
  const parts = listOf(content).map(objectOf)
  const join = (texts: readonly string[]) => texts.join('')
  return {
    text: join(parts.map((part) => (part.type === 'text' ? textOf(part.text) : ''))),
    thought: join(parts.flatMap((part) => listOf(part.thinking).map((thought) => textOf(objectOf(thought).text)))),
  }
}

/** A tool-call delta, whatever its fields really are. */
export function readCall(value: Json): CallDelta {
  const delta = objectOf(value)
  const inner = objectOf(delta.function)
  const { index, extra_content: extra } = delta
  const { arguments: args } = inner
  return {
    index: typeof index === 'number' ? index : undefined,
    wireId: textOf(delta.id),
    name: textOf(inner.name),
    // Some servers send the arguments as an object.
    text: typeof args === 'object' && args !== null ? JSON.stringify(args) : textOf(args),
    ...(extra != null && { meta: { extra_content: extra } }),
  }
}

/** Only the first choice counts; more are never asked for. */
export function wholeChat(body: JsonObject): readonly JsonObject[] | undefined {
  const [choice] = listOf(body.choices)
  const { message, ...facts } = objectOf(choice)
  return toObject(message) && [{ ...body, choices: [{ ...facts, delta: message ?? {} }] }]
}
