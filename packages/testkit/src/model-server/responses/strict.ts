// The strict mock of OpenAI responses: items, pairing, encrypted reasoning, sizes; what the real one answers 400 to.
import type { Json, JsonObject } from '@tenon/protocol'
import { badRequest } from '../errors.ts'
import type { Known, WireError } from '../format.ts'
import { first, isObject, isWellFormed, listOf, objectOf, strangerOf, toolName } from '../wire/json.ts'
import { pairingOf } from '../wire/pairing.ts'
import { proofOf } from '../wire/proof.ts'
import { itemsOf, itemText, type Run, runsOf } from './items.ts'

const fields =
  'model input instructions tools tool_choice stream store include reasoning max_output_tokens temperature top_p ' +
  'parallel_tool_calls prompt_cache_key text metadata truncation user service_tier'

export function responsesRefusal(body: JsonObject, known: Known): WireError | undefined {
  const items = itemsOf(body)
  const runs = runsOf(items)
  const problem =
    shapeProblem(body) ??
    toolsProblem(body) ??
    first(items, (item, index) => itemProblem(item, `input[${index}]`)) ??
    orderProblem(items) ??
    pairingOf(runs.map(toTurn)) ??
    first(
      runs.filter(({ kind }) => kind === 'reply'),
      (run, place) => reasoningProblem(run, place, { body, known }),
    )
  if (problem) return badRequest(problem)
  return known.window === undefined ? undefined : sizeRefusal(body, known.window)
}

function shapeProblem(body: JsonObject): string | undefined {
  const stranger = strangerOf(body, fields)
  if (stranger) return `Unknown parameter: '${stranger}'.`
  if (typeof body.model !== 'string' || !body.model) return "Missing required parameter: 'model'."
  if (!itemsOf(body).length) return "Missing required parameter: 'input'."
  const cap = body.max_output_tokens
  if (cap !== undefined && !(Number(cap) >= 16)) return "Invalid 'max_output_tokens': integer below minimum value."
  return isWellFormed(body) ? undefined : 'We could not parse the JSON body: lone surrogate in a string.'
}

function toolsProblem({ tools }: JsonObject): string | undefined {
  const names = new Set<Json>()
  return first(listOf(tools), (tool, index) => {
    const { type, name = '', parameters } = objectOf(tool)
    const stranger = strangerOf(objectOf(tool), 'type name description parameters strict')
    if (stranger) return `Unknown parameter: 'tools[${index}].${stranger}'.`
    if (type !== 'function' || typeof name !== 'string' || !toolName.test(name))
      return `Invalid 'tools[${index}].name'.`
    if (names.has(name)) return `Tool names must be unique: ${name}`
    names.add(name)
    return objectOf(parameters).type === 'object'
      ? undefined
      : `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'`
  })
}

function itemProblem(item: JsonObject, at: string): string | undefined {
  if (item.type === 'function_call') {
    const stranger = strangerOf(item, 'type id call_id name arguments status')
    if (stranger) return `Unknown parameter: '${at}.${stranger}'.`
    if (item.id !== undefined && !/^fc/.test(String(item.id)))
      return `Invalid '${at}.id': Expected an ID that begins with 'fc'.`
    if (typeof item.call_id !== 'string' || !toolName.test(item.call_id)) return `Invalid '${at}.call_id'.`
    if (typeof item.name !== 'string' || !toolName.test(item.name)) return `Invalid '${at}.name'.`
    return isObjectText(item.arguments) ? undefined : `Invalid '${at}.arguments': not the JSON text of an object.`
  }
  if (item.type === 'reasoning') {
    const stranger = strangerOf(item, 'type id summary encrypted_content')
    return stranger && `Unknown parameter: '${at}.${stranger}'.`
  }
  const stranger = strangerOf(item, 'type role content id status call_id output')
  if (stranger) return `Unknown parameter: '${at}.${stranger}'.`
  return contentProblem(item, at)
}

function contentProblem(item: JsonObject, at: string): string | undefined {
  const parts = listOf(item.content ?? item.output)
  const hasImage = parts.some((part) => objectOf(part).type === 'input_image')
  const wrong = parts.find((part) => !/^(input_text|output_text|input_image)$/.test(String(objectOf(part).type)))
  if (wrong !== undefined) return `Invalid value: '${String(objectOf(wrong).type)}' in ${at}.`
  return hasImage || itemText(item).trim() ? undefined : `${at}: content must not be empty`
}

function orderProblem(items: readonly JsonObject[]): string | undefined {
  const rest = items.filter(({ role }) => role !== 'system' && role !== 'developer')
  if (rest[0]?.role !== 'user') return 'the first message after the instructions must be from the user'
  const last = rest.at(-1)
  return last?.role === 'user' || last?.type === 'function_call_output'
    ? undefined
    : 'the last item must be from the user or a tool'
}

function toTurn({ kind, items, from }: Run) {
  const ids = items.flatMap(({ type, call_id: id }) =>
    type === 'function_call' || type === 'function_call_output' ? [String(id)] : [],
  )
  if (kind === 'other' || !ids.length) return { type: 'other' as const }
  return { type: kind === 'reply' ? ('calls' as const) : ('results' as const), ids, at: `input[${from}]` }
}

function reasoningProblem(
  { items, from }: Run,
  place: number,
  { body, known }: { readonly body: JsonObject; readonly known: Known },
): string | undefined {
  const thoughts = items.filter(({ type }) => type === 'reasoning')
  const problem = first(thoughts, (item) => {
    const text = listOf(item.summary)
      .map((part) => String(objectOf(part).text))
      .join('')
    if (item.encrypted_content == null && body.store === false)
      return `Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false.`
    return text && item.encrypted_content !== proofOf('openai-responses', text)
      ? `The encrypted content of input[${from}] could not be verified: its signature does not match`
      : undefined
  })
  if (problem) return problem
  if (items.at(-1)?.type === 'reasoning')
    return `Item '${String(items.at(-1)?.id)}' of type 'reasoning' was provided without its required following item.`
  const reasoning = known.served(place)?.reasoning
  if (reasoning === undefined) return undefined
  const proof = proofOf('openai-responses', reasoning)
  return thoughts.some((item) => item.encrypted_content === proof)
    ? undefined
    : `input[${from}]: the reasoning of this reply is missing or altered: its signature cannot be verified`
}

function sizeRefusal(body: JsonObject, window: number): WireError | undefined {
  const prompt = Math.ceil(JSON.stringify([body.input, body.tools ?? []]).length / 4)
  return prompt <= window
    ? undefined
    : badRequest(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
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
