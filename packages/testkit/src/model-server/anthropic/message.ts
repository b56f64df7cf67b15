// Shape of an Anthropic request, as loosely as a server must read it before it judges it.
import type { Json, JsonObject } from '@tenon/protocol'
import { isObject, listOf } from '../wire/json.ts'

export const messagesOf = (body: JsonObject): readonly JsonObject[] => listOf(body.messages).filter(isObject)

/** A string is one text block. */
export const blocksOf = (content: Json | undefined): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isObject)

/** Text of blocks and of the results among them. */
export const blockText = (content: Json | undefined): string =>
  blocksOf(content)
    .map((block) => (block.type === 'tool_result' ? blockText(block.content) : String(block.text ?? '')))
    .join('\n')
