// OpenAI chat completions on the wire: POST /chat/completions, streamed as server-sent events or whole.
// Facts: https://platform.openai.com/docs/api-reference/chat; `reasoning_content` as DeepSeek and vLLM send it.
import type { Json, JsonObject } from '@tenon/protocol'
import type { WireError, WireFacts, WireFormat, WireReply } from '../format.ts'
import { callsOf } from '../wire/calls.ts'
import { blankFrames, chatFrames } from './frames.ts'
import { contentText, messagesOf, toolNames } from './message.ts'
import { finishOf, usageOf } from './parts.ts'
import { chatRefusal } from './strict.ts'

export const chatFormat: WireFormat = {
  name: 'openai-chat',
  matches: (path) => path.endsWith('/chat/completions'),
  keyOf: ({ authorization }) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1],
  read,
  list: (path) =>
    path.endsWith('/models') ? { object: 'list', data: [{ id: 'script', object: 'model' }] } : undefined,
  refusal: (body, { window }) => chatRefusal(body, window),
  frames: chatFrames,
  blankFrames,
  whole,
  error: (error) => ({ error: toError(error) }),
  errorFrame: (error) => `data: ${JSON.stringify({ error: toError(error) })}\n\n`,
}

function read(body: JsonObject): WireFacts {
  const messages = messagesOf(body)
  // All results of one reply are its newest "message".
  const from = messages.findLastIndex((message) => message.role !== 'tool')
  const newest = messages.at(-1)?.role === 'tool' ? messages.slice(from + 1) : messages.slice(-1)
  return {
    model: typeof body.model === 'string' ? body.model : '',
    stream: body.stream === true,
    replies: messages.filter((message) => message.role === 'assistant').length,
    newest: newest.map((message) => contentText(message.content)).join('\n'),
    tools: toolNames(body),
  }
}

function whole(reply: WireReply): Json {
  const { text, reasoning } = reply.turn
  const calls = callsOf(reply)
  return {
    id: reply.id,
    object: 'chat.completion',
    created: 0,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(reasoning !== undefined && { reasoning_content: reasoning }),
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name, text }) => ({
              id,
              type: 'function',
              function: { name, arguments: text },
            })),
          }),
        },
        finish_reason: finishOf(reply.turn),
      },
    ],
    usage: usageOf(reply),
  }
}

const toError = ({ message, code }: WireError): Json => ({ message, type: code, param: null, code })
