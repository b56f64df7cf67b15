// OpenAI responses: api `openai-responses`. Nothing is stored there: the log is ours, reasoning travels encrypted.
// Facts: https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items
import type { JsonObject } from '@tenon/protocol'
import { nearestEffort, usualEfforts } from '../chat/effort.ts'
import { isOwn } from '../prompt/to-prompt.ts'
import type { Dialect, WriteFacts } from '../wire/dialect.ts'
import { listOf, objectOf, textOf } from '../wire/json.ts'
import { samplingFields } from '../wire/sampling.ts'
import { createResponsesReader, wholeResponse } from './reader.ts'

export const responsesDialect: Dialect = {
  sdk: 'openai',
  auth: 'bearer',
  resultImages: true,
  resultErrors: false,
  reasoning({ meta }) {
    const { encrypted, id } = objectOf(meta)
    return encrypted == null ? undefined : { itemId: id ?? null, reasoningEncryptedContent: encrypted }
  },
  options: { store: false },
  edit: editResponses,
  createReader: createResponsesReader,
  whole: wholeResponse,
}

function editResponses(body: JsonObject, facts: WriteFacts): JsonObject {
  const { request, model } = facts
  const thinks = model.reasoning !== 'none'
  const { reasoning: _, include: __, ...rest } = body
  return {
    ...rest,
    store: false,
    input: inputOf(body, facts),
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    ...(request.tools.length &&
      (model.quirks.noParallelCalls || !model.parallelTools) && { parallel_tool_calls: false }),
    prompt_cache_key: request.cache.key,
    ...samplingFields(facts, { temperature: 'temperature', topP: 'top_p' }),
    ...effortFields(facts),
  }
}

function effortFields({ request, model, warn }: WriteFacts): JsonObject {
  const effort = request.reasoning?.effort
  if (model.reasoning === 'none') {
    if (effort !== undefined && effort !== 'none') warn(`effort: ${model.id} takes none; ${effort} was left out.`)
    return {}
  }
  const taken = model.quirks.efforts ?? usualEfforts
  const word = effort === undefined ? {} : { effort: nearestEffort(effort, taken) }
  return { reasoning: { ...word, ...(effort !== 'none' && { summary: 'auto' }) } }
}

/** System texts have the role that the model knows; reasoning items get their summary back as it was, part by part. */
function inputOf(body: JsonObject, { request, model }: WriteFacts): readonly JsonObject[] {
  const role = model.quirks.developerRole || model.reasoning !== 'none' ? 'developer' : 'system'
  const summaries = request.messages.flatMap((message) =>
    message.role === 'assistant' && isOwn(message, model)
      ? message.parts.flatMap((part) =>
          part.type === 'reasoning' && objectOf(part.meta).encrypted != null ? [objectOf(part.meta)] : [],
        )
      : [],
  )
  let place = 0
  return listOf(body.input).map((value) => {
    const item = objectOf(value)
    if (item.role === 'system' || item.role === 'developer') return { ...item, role }
    if (item.type !== 'reasoning') return item
    const { summaries: texts } = summaries[place++] ?? {}
    return { ...item, summary: listOf(texts).map((text) => ({ type: 'summary_text', text: textOf(text) })) }
  })
}
