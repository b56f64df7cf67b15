// Anthropic messages: api `anthropic`.
import type { JsonObject } from '@tenon/protocol'
import { clampOutput, estimateTokens } from '../wire/clamp.ts'
import type { Dialect, WriteFacts } from '../wire/dialect.ts'
import { objectOf } from '../wire/json.ts'
import { samplingFields } from '../wire/sampling.ts'
import { withMarks } from './cache-marks.ts'
import { thinkingFields } from './effort.ts'
import { createAnthropicReader, wholeAnthropic } from './reader.ts'

/** Tokens; the format wants a cap, and this one no model refuses. */
const guessedCap = 8192

export const anthropicDialect: Dialect = {
  sdk: 'anthropic',
  auth: 'x-api-key',
  headers: ({ reasoning }) => ({
    'anthropic-version': '2023-06-01',
    // With a budget, thinking between calls has to be asked for.
    ...(reasoning === 'budget' && { 'anthropic-beta': 'interleaved-thinking-2025-05-14' }),
  }),
  resultImages: true,
  resultErrors: true,
  reasoning({ redacted, signature, meta }) {
    if (redacted) return { redactedData: objectOf(meta).data ?? '' }
    return signature === undefined ? undefined : { signature }
  },
  options: { toolStreaming: false },
  edit: editAnthropic,
  createReader: createAnthropicReader,
  whole: wholeAnthropic,
}

function editAnthropic(written: JsonObject, facts: WriteFacts): JsonObject {
  const { request, model } = facts
  const cap = request.output.max ?? model.output ?? guessedCap
  const body = { ...written, max_tokens: clampOutput(cap, model.window, estimateTokens(written)) }
  const one = model.quirks.noParallelCalls || !model.parallelTools
  const choice = objectOf(written.tool_choice)
  const whole = {
    ...body,
    ...(one && choice.type === 'auto' && { tool_choice: { ...choice, disable_parallel_tool_use: true } }),
    ...thinkingFields(body, facts),
  }
  const thinks = 'thinking' in whole && objectOf(whole.thinking).type !== 'disabled'
  const sampling = samplingFields(facts, { temperature: 'temperature', topP: 'top_p', stop: 'stop_sequences' })
  if (thinks && ('temperature' in sampling || 'top_p' in sampling))
    facts.warn(`${model.id} takes no temperature or top-p while it thinks; left out.`)
  const { temperature: _, top_p: __, ...stop } = sampling
  const final = { ...whole, ...(thinks ? stop : sampling) }
  return model.cache === 'none' ? final : withMarks(final)
}
