// The strict mock: refuses what at least one real provider of this format refuses, so that a history that passes here
// is valid everywhere. Order of checks: shape, then each message, then the pairing of calls and results, then size.
import type { Json, JsonObject } from '@tenon/protocol'
import { badRequest } from '../errors.ts'
import type { WireError } from '../format.ts'
import { first, isObject, isWellFormed, listOf, toolName } from '../wire/json.ts'
import { messagesOf } from './message.ts'
import { pairingProblem } from './pairing.ts'

const bodyFields = new Set(
  (
    'model messages tools tool_choice stream stream_options max_tokens max_completion_tokens temperature top_p stop seed n ' +
    'frequency_penalty presence_penalty response_format parallel_tool_calls reasoning_effort user prompt_cache_key ' +
    'metadata store logit_bias logprobs top_logprobs service_tier verbosity'
  ).split(' '),
)
const messageFields: Readonly<Record<string, readonly string[]>> = {
  system: ['content', 'name'],
  developer: ['content', 'name'],
  user: ['content', 'name'],
  assistant: ['content', 'name', 'tool_calls', 'reasoning_content', 'reasoning', 'reasoning_details', 'refusal'],
  tool: ['content', 'tool_call_id'],
}

/** Why `body` is refused, worded as providers do. @param window tokens (characters / 4) for prompt and reply */
export function chatRefusal(body: JsonObject, window: number | undefined): WireError | undefined {
  const problem =
    shapeProblem(body) ??
    toolsProblem(body) ??
    first(messagesOf(body), messageProblem) ??
    orderProblem(body) ??
    pairingProblem(messagesOf(body))
  if (problem) return badRequest(problem)
  return window === undefined ? undefined : sizeRefusal(body, window)
}

function shapeProblem(body: JsonObject): string | undefined {
  const unknown = Object.keys(body).find((key) => !bodyFields.has(key))
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`
  if (typeof body.model !== 'string' || !body.model) return 'you must provide a model parameter'
  const messages = listOf(body.messages)
  if (!messages.length) return "[] is too short - 'messages'"
  if (!messages.every(isObject)) return "'messages' must be objects"
  for (const key of ['max_tokens', 'max_completion_tokens']) {
    const value = body[key]
    if (value !== undefined && !(Number.isInteger(value) && Number(value) > 0))
      return `${key} must be a positive integer`
  }
  return isWellFormed(body) ? undefined : 'We could not parse the JSON body: lone surrogate in a string.'
}

function toolsProblem(body: JsonObject): string | undefined {
  if (body.tools === undefined)
    return body.tool_choice === undefined ? undefined : "'tool_choice' is only allowed when 'tools' are specified."
  const tools = listOf(body.tools)
  if (!tools.length) return "[] is too short - 'tools'"
  const names = new Set<unknown>()
  return first(tools, (tool) => {
    if (!isObject(tool) || tool.type !== 'function' || !isObject(tool.function)) return "'tools' must hold functions"
    const { name, parameters } = tool.function
    if (typeof name !== 'string' || !toolName.test(name)) return `Invalid tool name ${JSON.stringify(name)}`
    if (names.has(name)) return `Tool names must be unique: ${name}`
    names.add(name)
    if (!isObject(parameters) || parameters.type !== 'object')
      return `Invalid schema for function '${name}': schema must have type 'object'`
    return undefined
  })
}

function messageProblem(message: JsonObject, index: number): string | undefined {
  const at = `messages[${index}]`
  const allowed = messageFields[String(message.role)]
  if (!allowed) return `${at}: invalid role ${JSON.stringify(message.role)}`
  const unknown = Object.keys(message).find((key) => key !== 'role' && !allowed.includes(key))
  if (unknown) return `${at}: unknown field '${unknown}'`
  const calls = message.tool_calls
  if (message.role === 'assistant' && calls !== undefined && !listOf(calls).length)
    return `${at}: [] is too short - 'tool_calls'`
  if (message.content === null && listOf(calls).length) return callsProblem(listOf(calls), at)
  return contentProblem(message, at) ?? callsProblem(listOf(calls), at)
}

function contentProblem({ content, role }: JsonObject, at: string): string | undefined {
  if (typeof content === 'string') return content.trim() ? undefined : `${at}: content must not be empty`
  if (role !== 'user' && role !== 'tool') return `${at}: content must be a string`
  const parts = listOf(content)
  if (!parts.length) return `${at}: content must not be empty`
  return first(parts, (part) => {
    if (!isObject(part)) return `${at}: content parts must be objects`
    if (part.type === 'text')
      return typeof part.text === 'string' && part.text.trim()
        ? undefined
        : `${at}: text content blocks must be non-empty`
    if (part.type !== 'image_url') return `${at}: invalid content type ${JSON.stringify(part.type)}`
    const url = isObject(part.image_url) ? part.image_url.url : undefined
    return typeof url === 'string' && /^(https:|data:image\/(png|jpeg|gif|webp);base64,.)/.test(url)
      ? undefined
      : `${at}: invalid image_url`
  })
}

function callsProblem(calls: readonly Json[], at: string): string | undefined {
  return first(calls, (call, index) => {
    const where = `${at}.tool_calls[${index}]`
    if (!isObject(call) || call.type !== 'function' || !isObject(call.function))
      return `${where}: must be a function call`
    if (typeof call.id !== 'string' || !call.id || call.id.length > 64) return `${where}: invalid id`
    const { name, arguments: text } = call.function
    if (typeof name !== 'string' || !toolName.test(name)) return `${where}: invalid name ${JSON.stringify(name)}`
    return isObjectText(text) ? undefined : `${where}: function.arguments must be the JSON text of an object`
  })
}

function orderProblem(body: JsonObject): string | undefined {
  const roles = messagesOf(body).map((message) => (message.role === 'developer' ? 'system' : message.role))
  const start = roles.findIndex((role) => role !== 'system')
  const rest = roles.slice(start)
  if (start < 0 || rest[0] !== 'user') return 'the first message after the system messages must be from the user'
  if (rest.includes('system')) return 'system messages must stand at the beginning'
  const twice = rest.findIndex((role, index) => role !== 'tool' && role === rest[index - 1])
  if (twice > 0) return `messages[${start + twice}]: roles must alternate between user and assistant`
  return rest.at(-1) === 'assistant' ? 'the last message must be from the user or a tool' : undefined
}

function sizeRefusal(body: JsonObject, window: number): WireError | undefined {
  const prompt = Math.ceil(JSON.stringify([body.messages, body.tools ?? []]).length / 4)
  const output = Number(body.max_completion_tokens ?? body.max_tokens ?? 0)
  if (prompt + output <= window) return undefined
  const asked = output
    ? `you requested ${prompt + output} tokens (${prompt} in the messages, ${output} in the completion)`
    : `your messages resulted in ${prompt} tokens`
  return badRequest(
    `This model's maximum context length is ${window} tokens. However, ${asked}.`,
    'context_length_exceeded',
  )
}

function isObjectText(text: unknown): boolean {
  try {
    return typeof text === 'string' && isObject(JSON.parse(text))
  } catch {
    return false
  }
}
