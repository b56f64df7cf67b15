// Cache marks: what stands before a mark is read from the provider's cache when the next request begins the same way.
// Facts: https://docs.claude.com/en/docs/build-with-claude/prompt-caching (at most four; none on thoughts or empty text)
import type { Json, JsonObject } from '@tenon/protocol'
import { listOf, objectOf } from '../wire/json.ts'

const mark = { cache_control: { type: 'ephemeral' } } as const

/** Ends of the stable and of the volatile system text (the tools lie before them), and of the last two user messages. */
export function withMarks(body: JsonObject): JsonObject {
  const messages = listOf(body.messages).map(objectOf)
  const users = messages.flatMap(({ role }, place) => (role === 'user' ? [place] : [])).slice(-2)
  return {
    ...body,
    ...(body.system !== undefined && { system: listOf(body.system).slice(0, 2).map(marked) }),
    messages: messages.map((message, place) =>
      users.includes(place) ? { ...message, content: lastMarked(listOf(message.content)) } : message,
    ),
  }
}

const marked = (block: Json): Json => ({ ...objectOf(block), ...mark })

const lastMarked = (blocks: readonly Json[]): readonly Json[] =>
  blocks.map((block, place) => (place === blocks.length - 1 ? marked(block) : block))
