// Anthropic messages on the wire: POST /messages. Facts: https://docs.claude.com/en/api/messages
import type { Json, JsonObject } from '@tenon/protocol'
import type { WireError, WireFacts, WireFormat } from '../format.ts'
import { isObject, listOf } from '../wire/json.ts'
import { anthropicFrames, blankFrames, event, wholeMessage } from './frames.ts'
import { blockText, messagesOf } from './message.ts'
import { anthropicRefusal } from './strict.ts'

export const anthropicFormat: WireFormat = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  list: (path, headers) =>
    path.endsWith('/models') && headers['anthropic-version'] !== undefined
      ? { data: [{ type: 'model', id: 'script', display_name: 'Script' }], has_more: false }
      : undefined,
  keyOf: (headers) => {
    const key = headers['x-api-key']
    return typeof key === 'string' ? key : /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  },
  read,
  refusal: anthropicRefusal,
  frames: anthropicFrames,
  blankFrames,
  whole: wholeMessage,
  error: toError,
  errorFrame: (error) => event(toError(error)),
}

function read(body: JsonObject): WireFacts {
  const messages = messagesOf(body)
  return {
    model: typeof body.model === 'string' ? body.model : '',
    stream: body.stream === true,
    replies: messages.filter((message) => message.role === 'assistant').length,
    newest: blockText(messages.at(-1)?.content),
    tools: listOf(body.tools).flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? [tool.name] : [])),
  }
}

const types: Readonly<Record<string, string>> = {
  overloaded: 'overloaded_error',
  rate_limit_exceeded: 'rate_limit_error',
  invalid_api_key: 'authentication_error',
  forbidden: 'permission_error',
  server_error: 'api_error',
}

function toError({ message, code }: WireError): JsonObject & Json {
  return { type: 'error', error: { type: types[code] ?? code, message } }
}
