// The quirks of a chat server, laid over the body that the SDK wrote.
import type { Json, JsonObject } from '@tenon/protocol'
import { toPlainSchema } from '../prompt/plain-schema.ts'
import { isOwn } from '../prompt/to-prompt.ts'
import { clampOutput, estimateTokens } from '../wire/clamp.ts'
import type { WriteFacts } from '../wire/dialect.ts'
import { countOf, listOf, objectOf, textOf, toObject } from '../wire/json.ts'
import { samplingFields } from '../wire/sampling.ts'
import { markMessages } from './cache-marks.ts'
import { effortFields } from './effort.ts'

export function editChat(body: JsonObject, facts: WriteFacts): JsonObject {
  const { model, request } = facts
  const { quirks } = model
  const { max_tokens: max, stream_options: options, tools, ...rest } = body
  return {
    ...rest,
    messages: messagesOf(body, facts),
    ...(max !== undefined && {
      [quirks.completionTokens ? 'max_completion_tokens' : 'max_tokens']: clampOutput(
        countOf(max),
        model.window,
        estimateTokens(body),
      ),
    }),
    ...(options !== undefined && !quirks.noStreamUsage && { stream_options: options }),
    ...(tools !== undefined && { tools: quirks.plainSchema ? listOf(tools).map(withPlainSchema) : tools }),
    ...(tools !== undefined && (quirks.noParallelCalls || !model.parallelTools) && { parallel_tool_calls: false }),
    ...(quirks.cacheKey && { prompt_cache_key: request.cache.key }),
    ...samplingFields(facts, { temperature: 'temperature', topP: 'top_p', stop: 'stop' }),
    ...effortFields(facts),
  }
}

function messagesOf(body: JsonObject, facts: WriteFacts): readonly Json[] {
  const { quirks, cache } = facts.model
  const [system, rest] = splitSystem(listOf(body.messages).map(objectOf))
  const role = quirks.developerRole ? 'developer' : 'system'
  const echoed = echo(rest, facts)
  const messages = [...(system.length ? [{ role, content: system.join('\n\n') }] : []), ...echoed]
  return cache === 'markers'
    ? markMessages(messages, system)
    : messages.map((message) => toPlain(message, quirks.stringContent))
}

/** Many templates take one system message, as one text. */
function splitSystem(messages: readonly JsonObject[]): [system: readonly string[], rest: readonly JsonObject[]] {
  const from = messages.findIndex(({ role }) => role !== 'system')
  const split = from < 0 ? messages.length : from
  return [messages.slice(0, split).map(({ content }) => textOf(content)), messages.slice(split)]
}

/** Own reasoning in the field that this server reads. The n-th reply of the body is the n-th of the request. */
function echo(messages: readonly JsonObject[], { request, model }: WriteFacts): readonly JsonObject[] {
  const replies = request.messages.filter((message) => message.role === 'assistant')
  let place = 0
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    const reply = replies[place++]
    const { reasoning_content: reasoning, ...said } = message
    const own = reply && isOwn(reply, model) ? reply.parts : []
    const details = own.flatMap((part) =>
      part.type === 'reasoning' ? listOf(objectOf(part.meta).reasoning_details) : [],
    )
    if (details.length) return { ...said, reasoning_details: details }
    const text = textOf(reasoning)
    const { reasoningField = 'reasoning_content' } = model.quirks
    if (!text || reasoningField === 'none') return said
    if (reasoningField !== 'think') return { ...said, [reasoningField]: text }
    return { ...said, content: `<think>\n${text}\n</think>\n\n${textOf(said.content)}` }
  })
}

function toPlain(message: JsonObject, stringContent = false): JsonObject {
  const { content } = message
  if (!stringContent || !Array.isArray(content)) return message
  return {
    ...message,
    content: listOf(content)
      .map((part) => textOf(objectOf(part).text))
      .filter(Boolean)
      .join('\n\n'),
  }
}

function withPlainSchema(tool: Json): Json {
  const { function: inner, ...rest } = objectOf(tool)
  const { parameters, ...fields } = objectOf(inner)
  return toObject(inner) ? { ...rest, function: { ...fields, parameters: toPlainSchema(parameters ?? {}) } } : tool
}
