// The strict mock of Anthropic: order, pairing, proofs of thoughts, cache marks, sizes; what the real one answers 400 to.
import type { Json, JsonObject } from '@tenon/protocol'
import { badRequest } from '../errors.ts'
import type { Known, WireError } from '../format.ts'
import { first, isObject, isWellFormed, listOf, objectOf, strangerOf, toolName } from '../wire/json.ts'
import { pairingOf, type Turn } from '../wire/pairing.ts'
import { blockProblem } from './blocks.ts'
import { blocksOf, messagesOf } from './message.ts'
import { proofProblem, thinkingProblem } from './thinking.ts'

const fields =
  'model messages system tools tool_choice max_tokens stream temperature top_p top_k stop_sequences metadata thinking ' +
  'output_config service_tier'

export function anthropicRefusal(body: JsonObject, known: Known): WireError | undefined {
  const messages = messagesOf(body)
  const problem =
    shapeProblem(body) ??
    toolsProblem(body) ??
    first(messages, messageProblem) ??
    orderProblem(messages) ??
    pairingOf(messages.map(toTurn)) ??
    marksProblem(body) ??
    thinkingProblem(body) ??
    proofProblem(messages, known)
  if (problem) return badRequest(problem)
  return known.window === undefined ? undefined : sizeRefusal(body, known.window)
}

function shapeProblem(body: JsonObject): string | undefined {
  const stranger = strangerOf(body, fields)
  if (stranger) return `${stranger}: Extra inputs are not permitted`
  if (typeof body.model !== 'string' || !body.model) return 'model: Field required'
  if (!(Number.isInteger(body.max_tokens) && Number(body.max_tokens) > 0)) return 'max_tokens: Field required'
  if (!listOf(body.messages).length) return 'messages: at least one message is required'
  if (!listOf(body.messages).every(isObject)) return 'messages: must be objects'
  const empty = blocksOf(body.system).some(({ text }) => typeof text !== 'string' || !text.trim())
  if (body.system !== undefined && empty) return 'system: text content blocks must be non-empty'
  return isWellFormed(body) ? undefined : 'The request body is not valid JSON: lone surrogate in a string.'
}

function toolsProblem({ tools, tool_choice: choice }: JsonObject): string | undefined {
  if (tools === undefined)
    return choice === undefined ? undefined : 'tool_choice may only be specified while providing tools'
  const names = new Set<Json>()
  return first(listOf(tools), (tool, index) => {
    const { name = '', input_schema: schema } = objectOf(tool)
    const stranger = strangerOf(objectOf(tool), 'name description input_schema cache_control')
    if (stranger) return `tools.${index}.${stranger}: Extra inputs are not permitted`
    if (typeof name !== 'string' || !toolName.test(name)) return `tools.${index}.name: String should match pattern`
    if (names.has(name)) return 'tools: Tool names must be unique'
    names.add(name)
    const { type, ...rest } = objectOf(schema)
    if (type !== 'object') return `tools.${index}.input_schema.type: Field required`
    const union = ['anyOf', 'oneOf', 'allOf'].find((word) => word in rest)
    return union && `tools.${index}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
  })
}

function messageProblem(message: JsonObject, index: number): string | undefined {
  const at = `messages.${index}`
  const { role, content } = message
  const stranger = strangerOf(message, 'role content')
  if (stranger) return `${at}.${stranger}: Extra inputs are not permitted`
  if (role !== 'user' && role !== 'assistant') return `${at}: Unexpected role ${JSON.stringify(role)}`
  const blocks = blocksOf(content)
  if (!blocks.length) return `${at}: all messages must have non-empty content`
  const problem = first(blocks, (block, place) => blockProblem(block, role, `${at}.content.${place}`))
  if (problem) return problem
  const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result')
  return lastResult >= 0 && blocks.slice(0, lastResult).some(({ type }) => type !== 'tool_result')
    ? `${at}: tool_result blocks must come first in the content`
    : undefined
}

function orderProblem(messages: readonly JsonObject[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  const twice = messages.findIndex(({ role }, place) => role === messages[place - 1]?.role)
  if (twice > 0) return `messages.${twice}: roles must alternate between "user" and "assistant"`
  return messages.at(-1)?.role === 'user'
    ? undefined
    : 'This model does not support assistant message prefill: the last message must be from the user'
}

function toTurn({ role, content }: JsonObject, index: number): Turn {
  const type = role === 'assistant' ? 'tool_use' : 'tool_result'
  const key = role === 'assistant' ? 'id' : 'tool_use_id'
  const ids = blocksOf(content).flatMap((block) => (block.type === type ? [String(block[key])] : []))
  if (!ids.length) return { type: 'other' }
  return { type: role === 'assistant' ? 'calls' : 'results', ids, at: `messages.${index}` }
}

function marksProblem({ system, tools, messages }: JsonObject): string | undefined {
  const marks = JSON.stringify([system ?? [], tools ?? [], messages ?? []]).match(/"cache_control":\{/g) ?? []
  return marks.length > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`
    : undefined
}

function sizeRefusal(body: JsonObject, window: number): WireError | undefined {
  const prompt = Math.ceil(JSON.stringify([body.system ?? [], body.messages, body.tools ?? []]).length / 4)
  const output = Number(body.max_tokens)
  if (prompt > window) return badRequest(`prompt is too long: ${prompt} tokens > ${window} maximum`)
  return prompt + output > window
    ? badRequest(
        `input length and \`max_tokens\` exceed context limit: ${prompt} + ${output} > ${window}, decrease input length or \`max_tokens\` and try again`,
      )
    : undefined
}
