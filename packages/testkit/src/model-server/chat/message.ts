// Shape of an OpenAI chat request, as loosely as a server must read it before it judges it.
import type { Json, JsonObject } from '@tenon/protocol'
import { isObject, listOf } from '../wire/json.ts'

export const messagesOf = (body: JsonObject): readonly JsonObject[] => listOf(body.messages).filter(isObject)

/** Text of a message's content, whether a string or parts. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('\n')
}

export function toolNames(body: JsonObject): readonly string[] {
  return listOf(body.tools).flatMap((tool) => {
    const name = isObject(tool) && isObject(tool.function) ? tool.function.name : undefined
    return typeof name === 'string' ? [name] : []
  })
}
