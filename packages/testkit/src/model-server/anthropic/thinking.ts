// Thoughts in an Anthropic history: their proofs byte for byte, and what goes with the mode of thinking.
import type { JsonObject } from '@tenon/protocol'
import type { Known } from '../format.ts'
import { first, objectOf } from '../wire/json.ts'
import { proofOf } from '../wire/proof.ts'
import { blocksOf, messagesOf } from './message.ts'

/** A thought that does not fit its proof, or that was served here and did not come back. */
export function proofProblem(messages: readonly JsonObject[], { served }: Known): string | undefined {
  const replies = messages.flatMap((message, index) => (message.role === 'assistant' ? [{ message, index }] : []))
  return first(replies, ({ message, index }, place) => {
    const blocks = blocksOf(message.content)
    const wrong = blocks.findIndex(
      ({ type, thinking, signature }) => type === 'thinking' && signature !== proofOf('anthropic', String(thinking)),
    )
    if (wrong >= 0) return `messages.${index}.content.${wrong}: Invalid \`signature\` in \`thinking\` block`
    const turn = served(place)
    if (turn?.reasoning === undefined) return undefined
    const proof = proofOf('anthropic', turn.reasoning)
    const key = turn.redacted ? 'data' : 'signature'
    return blocks.some((block) => block[key] === proof)
      ? undefined
      : `messages.${index}: the \`thinking\` block of this reply is missing or altered: its signature cannot be verified`
  })
}

export function thinkingProblem(body: JsonObject): string | undefined {
  const { type, budget_tokens: budget } = objectOf(body.thinking)
  if (type === undefined || type === 'disabled') return undefined
  if (body.temperature !== undefined && body.temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled'
  if (type === 'adaptive') return undefined
  if (type !== 'enabled') return `thinking.type: unknown ${JSON.stringify(type)}`
  if (!(Number(budget) >= 1024)) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (Number(budget) >= Number(body.max_tokens)) return '`max_tokens` must be greater than `thinking.budget_tokens`'
  const messages = messagesOf(body)
  const answers = blocksOf(messages.at(-1)?.content).some((block) => block.type === 'tool_result')
  const [begin] = blocksOf(messages.at(-2)?.content)
  return answers && !/thinking$/.test(String(begin?.type))
    ? 'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block'
    : undefined
}
