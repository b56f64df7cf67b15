// Cache marks for models behind a chat server that passes them on (Claude behind OpenRouter).
// Facts: https://openrouter.ai/docs/features/prompt-caching
import type { Json, JsonObject } from '@tenon/protocol'
import { listOf, objectOf } from '../wire/json.ts'

const mark = { cache_control: { type: 'ephemeral' } } as const

/** The ends of both system texts, and the last two messages of user or tool: four, as many as are allowed. */
export function markMessages(messages: readonly JsonObject[], system: readonly string[]): readonly JsonObject[] {
  const ends = messages.flatMap(({ role }, place) => (role === 'user' || role === 'tool' ? [place] : [])).slice(-2)
  return messages.map((message, place) => {
    if (place === 0 && system.length)
      return { ...message, content: system.map((text) => ({ type: 'text', text, ...mark })) }
    return ends.includes(place) ? { ...message, content: withMark(message.content ?? '') } : message
  })
}

/** Strings become one part; the last part carries the mark. */
function withMark(content: Json): Json {
  if (typeof content === 'string') return [{ type: 'text', text: content, ...mark }]
  const parts = listOf(content)
  return parts.map((part, place) => (place === parts.length - 1 ? { ...objectOf(part), ...mark } : part))
}
