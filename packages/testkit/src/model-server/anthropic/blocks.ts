// One content block of an Anthropic message, judged.
import type { Json, JsonObject } from '@tenon/protocol'
import { first, isObject, listOf, objectOf, strangerOf, toolName } from '../wire/json.ts'

const allowed: Readonly<Record<string, { readonly roles: string; readonly fields: string }>> = {
  text: { roles: 'user assistant', fields: 'type text cache_control' },
  image: { roles: 'user', fields: 'type source cache_control' },
  tool_use: { roles: 'assistant', fields: 'type id name input cache_control' },
  tool_result: { roles: 'user', fields: 'type tool_use_id content is_error cache_control' },
  thinking: { roles: 'assistant', fields: 'type thinking signature' },
  redacted_thinking: { roles: 'assistant', fields: 'type data' },
}

export function blockProblem(block: JsonObject, role: string, at: string): string | undefined {
  const kind = allowed[String(block.type)]
  if (!kind?.roles.split(' ').includes(role))
    return `${at}: ${JSON.stringify(block.type)} is not allowed in a message of ${role}`
  const stranger = strangerOf(block, kind.fields)
  if (stranger) return `${at}.${stranger}: Extra inputs are not permitted`
  switch (block.type) {
    case 'text':
      return textProblem(block.text, at)
    case 'image':
      return imageProblem(block.source, at)
    case 'tool_use':
      if (typeof block.id !== 'string' || !toolName.test(block.id)) return `${at}.id: String should match pattern`
      if (typeof block.name !== 'string' || !toolName.test(block.name)) return `${at}.name: String should match pattern`
      return isObject(block.input) ? undefined : `${at}.input: Input should be a valid dictionary`
    case 'tool_result':
      return resultProblem(block.content, at)
    default:
      return undefined
  }
}

const textProblem = (text: Json | undefined, at: string): string | undefined =>
  typeof text === 'string' && text.trim() ? undefined : `${at}: text content blocks must contain non-whitespace text`

function resultProblem(content: Json | undefined, at: string): string | undefined {
  if (typeof content === 'string') return textProblem(content, at)
  return first(listOf(content), (part) => {
    const { type, text, source } = objectOf(part)
    if (type === 'text') return textProblem(text, at)
    return type === 'image'
      ? imageProblem(source, at)
      : `${at}: ${JSON.stringify(type)} is not allowed in a tool_result`
  })
}

const heads: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '474946',
  'image/webp': '52494646',
}

/** The bytes have to be what the media type says, and at most 5 MB of base64. */
function imageProblem(value: Json | undefined, at: string): string | undefined {
  const source = objectOf(value)
  if (source.type === 'url') return undefined
  const head = heads[String(source.media_type)]
  if (source.type !== 'base64' || !head || typeof source.data !== 'string') return `${at}.source: Invalid image source`
  if (source.data.length > 5 * 1024 * 1024) return `${at}: image exceeds 5 MB maximum`
  return Buffer.from(source.data.slice(0, 16), 'base64').toString('hex').startsWith(head)
    ? undefined
    : `${at}: Image does not match the provided media type ${String(source.media_type)}`
}
