// Thinking as Anthropic takes it: at will with an effort (adaptive), or with a budget of tokens.
// Facts: https://docs.claude.com/en/docs/build-with-claude/extended-thinking, …/adaptive-thinking, …/effort
import type { Effort } from '@tenon/core'
import type { Json, JsonObject } from '@tenon/protocol'
import type { WriteFacts } from '../wire/dialect.ts'
import { countOf, listOf, objectOf } from '../wire/json.ts'

/** Tokens to think with; the least that is taken is 1,024. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 24_000,
  max: 48_000,
}
const words = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', max: 'max' } as const

/** Fields of the body for the effort that is asked for; without one the model's own default holds. */
export function thinkingFields(body: JsonObject, { request, model, warn }: WriteFacts): JsonObject {
  const effort = request.reasoning?.effort
  if (effort === undefined) return {}
  if (model.reasoning === 'none') {
    if (effort !== 'none') warn(`effort: ${model.id} takes none; ${effort} was left out.`)
    return {}
  }
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (model.reasoning !== 'budget') return { thinking: { type: 'adaptive' }, output_config: { effort: words[effort] } }
  if (!mayThink(listOf(body.messages))) {
    warn('thinking is off for this request: the calls before it were written without it.')
    return {}
  }
  // The budget lies within the cap, and something has to be left to answer with.
  const budget = Math.min(budgets[effort], Math.floor(countOf(body.max_tokens) * 0.75))
  if (budget >= 1024) return { thinking: { type: 'enabled', budget_tokens: budget } }
  warn('thinking is off for this request: the output cap leaves no room for it.')
  return {}
}

/** With a budget, a reply whose results are being sent has to begin with its thoughts; a foreign one has none. */
function mayThink(messages: readonly Json[]): boolean {
  const last = objectOf(messages.findLast((message) => objectOf(message).role === 'assistant'))
  const inLoop = listOf(objectOf(messages.at(-1)).content).some((block) => objectOf(block).type === 'tool_result')
  const [first] = listOf(last.content)
  return !inLoop || /thinking$/.test(String(objectOf(first).type))
}
