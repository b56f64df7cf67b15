// Reads the events of an OpenAI Responses stream.
// Facts: https://platform.openai.com/docs/api-reference/responses-streaming
import type { Json, JsonObject, Usage } from '@tenon/protocol'
import { countOf, listOf, objectOf, textOf } from '../wire/json.ts'
import type { CallDelta, Piece, ReplyReader } from '../wire/reader.ts'

export function createResponsesReader(): ReplyReader {
  let refused = false
  let summaries = 0

  const done = (item: JsonObject): readonly Piece[] => {
    if (item.type !== 'reasoning') return item.type === 'message' ? [{ type: 'end' }] : []
    summaries = 0
    return [
      {
        type: 'seal',
        meta: { id: item.id ?? null, encrypted: item.encrypted_content ?? null, summaries: textsOf(item.summary) },
      },
    ]
  }

  const ended = (response: JsonObject): readonly Piece[] => {
    const { reason } = objectOf(response.incomplete_details)
    const { usage } = response
    const filtered = refused || reason === 'content_filter'
    const cut = response.status === 'incomplete' || reason !== undefined
    return [
      ...(usage ? [{ type: 'usage' as const, usage: toUsage(objectOf(usage)) }] : []),
      { type: 'finish', reason: filtered ? 'refused' : cut ? 'length' : 'stop' },
      { type: 'done' },
    ]
  }

  return {
    read(event) {
      switch (event.type) {
        case 'response.created': {
          const { id, model } = objectOf(event.response)
          return [
            {
              type: 'meta',
              ...(textOf(id) && { responseId: textOf(id) }),
              ...(textOf(model) && { model: textOf(model) }),
            },
          ]
        }
        case 'response.output_item.added':
          return [{ type: 'end' }, ...callPieces(event, objectOf(event.item))]
        case 'response.function_call_arguments.delta':
          return [calls({ index: indexOf(event), wireId: '', name: '', text: textOf(event.delta) })]
        case 'response.output_text.delta':
          return [{ type: 'text', text: textOf(event.delta) }]
        case 'response.refusal.delta':
          refused = true
          return [{ type: 'text', text: textOf(event.delta) }]
        case 'response.reasoning_summary_part.added':
          return summaries++ ? [{ type: 'reasoning', text: '\n\n' }] : []
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return [{ type: 'reasoning', text: textOf(event.delta) }]
        case 'response.output_item.done':
          return done(objectOf(event.item))
        case 'response.completed':
        case 'response.incomplete':
          return ended(objectOf(event.response))
        case 'response.failed':
          return [{ type: 'error', body: { error: objectOf(event.response).error ?? {} } }]
        case 'error':
          return [{ type: 'error', body: event }]
        default:
          return []
      }
    },
  }
}

const indexOf = (event: JsonObject): number | undefined =>
  typeof event.output_index === 'number' ? event.output_index : undefined

const calls = (delta: CallDelta): Piece => ({ type: 'calls', deltas: [delta] })

function callPieces(event: JsonObject, item: JsonObject): readonly Piece[] {
  if (item.type !== 'function_call') return []
  const { call_id: id, name, arguments: text } = item
  return [calls({ index: indexOf(event), wireId: textOf(id), name: textOf(name), text: textOf(text) })]
}

const textsOf = (summary: Json | undefined): readonly string[] =>
  listOf(summary).map((part) => textOf(objectOf(part).text))

/** The wire's input holds the cached tokens, its output the reasoning. */
function toUsage(raw: JsonObject): Usage {
  const { cached_tokens: read, cache_write_tokens: written } = objectOf(raw.input_tokens_details)
  const [cacheRead, cacheWrite] = [countOf(read), countOf(written)]
  const output = countOf(raw.output_tokens)
  const reasoning = Math.min(output, countOf(objectOf(raw.output_tokens_details).reasoning_tokens))
  return {
    input: Math.max(0, countOf(raw.input_tokens) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output,
    reasoning,
  }
}

/** A whole response as the events of its stream. */
export function wholeResponse(body: JsonObject): readonly JsonObject[] | undefined {
  if (body.object !== 'response' || !Array.isArray(body.output)) return undefined
  const items = listOf(body.output).flatMap((value, output_index) => {
    const item = objectOf(value)
    const texts = listOf(item.content)
      .map(objectOf)
      .map((part) =>
        part.type === 'refusal'
          ? { type: 'response.refusal.delta', delta: part.refusal ?? '' }
          : { type: 'response.output_text.delta', delta: part.text ?? '' },
      )
    const thoughts = textsOf(item.summary).flatMap((delta) => [
      { type: 'response.reasoning_summary_part.added' },
      { type: 'response.reasoning_summary_text.delta', delta },
    ])
    const added = { type: 'response.output_item.added', output_index, item }
    return [added, ...thoughts, ...texts, { type: 'response.output_item.done', output_index, item }]
  })
  return [{ type: 'response.created', response: body }, ...items, { type: 'response.completed', response: body }]
}
