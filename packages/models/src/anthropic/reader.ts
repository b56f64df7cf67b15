// Reads the events of an Anthropic message stream.
// Facts: https://docs.claude.com/en/docs/build-with-claude/streaming
import type { FinishReason, JsonObject, Usage } from '@tenon/protocol'
import { countOf, listOf, objectOf, textOf, toObject } from '../wire/json.ts'
import type { CallDelta, Piece, ReplyReader } from '../wire/reader.ts'

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refused',
  // The provider wants to be asked to go on, as after a cut.
  pause_turn: 'length',
}

export function createAnthropicReader(): ReplyReader {
  let counts: JsonObject = {}
  let signature = ''

  const start = (index: number, block: JsonObject): readonly Piece[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: textOf(block.text) }]
      case 'thinking':
        signature = textOf(block.signature)
        return [{ type: 'end' }, { type: 'reasoning', text: textOf(block.thinking) }]
      case 'redacted_thinking':
        return [{ type: 'end' }, { type: 'seal', redacted: true, meta: { data: block.data ?? '' } }]
      case 'tool_use': {
        const input = toObject(block.input)
        const text = input && Object.keys(input).length ? JSON.stringify(input) : ''
        return [calls({ index, wireId: textOf(block.id), name: textOf(block.name), text })]
      }
      default:
        return []
    }
  }

  const delta = (index: number, part: JsonObject): readonly Piece[] => {
    switch (part.type) {
      case 'text_delta':
        return [{ type: 'text', text: textOf(part.text) }]
      case 'thinking_delta':
        return [{ type: 'reasoning', text: textOf(part.thinking) }]
      case 'signature_delta':
        signature += textOf(part.signature)
        return []
      case 'input_json_delta':
        return [calls({ index, wireId: '', name: '', text: textOf(part.partial_json) })]
      default:
        return []
    }
  }

  /** A thought that was left out has a signature and no text; one without either is no block. */
  const stop = (): readonly Piece[] => {
    const sealed: readonly Piece[] = signature ? [{ type: 'seal', signature }] : [{ type: 'end' }]
    signature = ''
    return sealed
  }

  const usage = (raw: unknown): readonly Piece[] => {
    const said = Object.entries(objectOf(raw)).filter(([, value]) => value !== null)
    if (!said.length) return []
    counts = { ...counts, ...Object.fromEntries(said) }
    return [{ type: 'usage', usage: toUsage(counts) }]
  }

  return {
    read(event) {
      const index = typeof event.index === 'number' ? event.index : 0
      switch (event.type) {
        case 'message_start': {
          const { id, model, usage: raw } = objectOf(event.message)
          return [
            {
              type: 'meta',
              ...(textOf(id) && { responseId: textOf(id) }),
              ...(textOf(model) && { model: textOf(model) }),
            },
            ...usage(raw),
          ]
        }
        case 'content_block_start':
          return start(index, objectOf(event.content_block))
        case 'content_block_delta':
          return delta(index, objectOf(event.delta))
        case 'content_block_stop':
          return stop()
        case 'message_delta': {
          const reason = reasons[textOf(objectOf(event.delta).stop_reason)]
          return [...usage(event.usage), ...(reason ? [{ type: 'finish' as const, reason }] : [])]
        }
        case 'message_stop':
          return [{ type: 'done' }]
        default:
          return []
      }
    },
  }
}

const calls = (delta: CallDelta): Piece => ({ type: 'calls', deltas: [delta] })

/** The wire's counts are disjoint already; those of `message_delta` are totals. */
const toUsage = (raw: JsonObject): Usage => ({
  input: countOf(raw.input_tokens),
  cacheRead: countOf(raw.cache_read_input_tokens),
  cacheWrite: countOf(raw.cache_creation_input_tokens),
  output: countOf(raw.output_tokens),
  reasoning: Math.min(countOf(raw.output_tokens), countOf(objectOf(raw.output_tokens_details).thinking_tokens)),
})

/** A whole message as the events of its stream. */
export function wholeAnthropic(body: JsonObject): readonly JsonObject[] | undefined {
  if (body.type !== 'message' || !Array.isArray(body.content)) return undefined
  const { content, stop_reason: reason = null, usage = {}, ...message } = body
  const blocks = listOf(content).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ])
  return [
    { type: 'message_start', message },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: reason }, usage },
    { type: 'message_stop' },
  ]
}
