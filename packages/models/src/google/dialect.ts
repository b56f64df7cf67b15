// Gemini over Google's own API: api `google`.
import type { Effort } from '@tenon/core'
import type { Json, JsonObject } from '@tenon/protocol'
import { toPlainSchema } from '../prompt/plain-schema.ts'
import type { Dialect, WriteFacts } from '../wire/dialect.ts'
import { listOf, objectOf } from '../wire/json.ts'
import { samplingFields } from '../wire/sampling.ts'
import { createGoogleReader, wholeGoogle } from './reader.ts'
import { withSignatures } from './signatures.ts'

export const googleDialect: Dialect = {
  sdk: 'google',
  auth: 'x-goog-api-key',
  resultImages: false,
  resultErrors: false,
  // Thoughts without a signature are not sent back; the signature of a text is put on that text.
  reasoning({ meta }) {
    const { thoughtSignature, of } = objectOf(meta)
    return thoughtSignature === undefined || of === 'text' ? undefined : { thoughtSignature }
  },
  call: (meta) => meta,
  edit: editGoogle,
  createReader: createGoogleReader,
  whole: wholeGoogle,
}

function editGoogle(body: JsonObject, facts: WriteFacts): JsonObject {
  const { request, model } = facts
  const replies = request.messages.filter((message) => message.role === 'assistant')
  return {
    ...body,
    contents: withSignatures(listOf(body.contents), replies, model),
    ...(body.tools !== undefined && {
      tools: listOf(body.tools).map((tool) => withSchemas(tool, model.quirks.plainSchema)),
    }),
    generationConfig: {
      ...objectOf(body.generationConfig),
      ...samplingFields(facts, { temperature: 'temperature', topP: 'topP', stop: 'stopSequences' }),
      ...thinkingFields(facts),
    },
  }
}

function withSchemas(tool: Json, plain = false): Json {
  const declarations = listOf(objectOf(tool).functionDeclarations).map((value) => {
    const { parametersJsonSchema: schema, ...declaration } = objectOf(value)
    return { ...declaration, parametersJsonSchema: plain ? toPlainSchema(schema ?? {}) : (schema ?? {}) }
  })
  return { ...objectOf(tool), functionDeclarations: declarations }
}

/** Tokens to think with, for models that take a budget (Gemini 2.5: at most 24,576). */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  max: 24_576,
}
const levels = { none: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', max: 'high' } as const

function thinkingFields({ request, model, warn }: WriteFacts): JsonObject {
  const effort = request.reasoning?.effort
  if (model.reasoning === 'none') {
    if (effort !== undefined && effort !== 'none') warn(`effort: ${model.id} takes none; ${effort} was left out.`)
    return {}
  }
  const shown = { includeThoughts: true }
  if (effort === undefined) return { thinkingConfig: shown }
  // Thoughts count against the cap; something has to be left to answer with.
  const most = request.output.max === undefined ? budgets[effort] : Math.floor(request.output.max * 0.75)
  const how =
    model.reasoning === 'budget'
      ? { thinkingBudget: Math.min(budgets[effort], most) }
      : { thinkingLevel: levels[effort] }
  return { thinkingConfig: effort === 'none' ? how : { ...shown, ...how } }
}
