// The strict mock of Gemini: order, responses by name, thought signatures, schemas, sizes.
import type { Json, JsonObject } from '@tenon/protocol'
import { badRequest } from '../errors.ts'
import type { Known, WireError } from '../format.ts'
import { first, isObject, isWellFormed, objectOf, strangerOf, toolName } from '../wire/json.ts'
import { contentsOf, declarationsOf, kindOf, partsOf } from './contents.ts'
import { signatureOf } from './frames.ts'

const fields = 'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels'
const partFields = 'text inlineData fileData functionCall functionResponse thought thoughtSignature'

/** For calls that another model made. Facts: https://ai.google.dev/gemini-api/docs/thought-signatures */
const standIn = 'skip_thought_signature_validator'

export function googleRefusal(body: JsonObject, known: Known): WireError | undefined {
  const contents = contentsOf(body)
  const problem =
    shapeProblem(body) ??
    first(declarationsOf(body), declarationProblem) ??
    first(contents, contentProblem) ??
    orderProblem(contents) ??
    first(contents, (content, index) => pairProblem(content, contents[index + 1], index)) ??
    signatureProblem(contents, known)
  if (problem) return badRequest(problem)
  const { window } = known
  const prompt = Math.ceil(JSON.stringify(body).length / 4)
  return window === undefined || prompt <= window
    ? undefined
    : badRequest(`The input token count (${prompt}) exceeds the maximum number of tokens allowed (${window}).`)
}

function shapeProblem(body: JsonObject): string | undefined {
  const stranger = strangerOf(body, fields)
  if (stranger) return `Invalid JSON payload received. Unknown name "${stranger}": Cannot find field.`
  if (!contentsOf(body).length) return 'GenerateContentRequest.contents: contents is not specified'
  return isWellFormed(body) ? undefined : 'Invalid JSON payload received: lone surrogate in a string.'
}

function declarationProblem(declaration: JsonObject): string | undefined {
  const { name, parametersJsonSchema: schema } = declaration
  if (typeof name !== 'string' || !toolName.test(name)) return `Invalid function name ${JSON.stringify(name)}`
  const parameters = objectOf(schema)
  const union = ['anyOf', 'oneOf', 'allOf'].some((word) => word in parameters)
  if (parameters.type !== 'object' || union) return `function ${name}: parameters schema should be of type OBJECT`
  return JSON.stringify(parameters).includes('"$ref"')
    ? `function ${name}: parameters schema: unknown field "$ref"`
    : undefined
}

function contentProblem(content: JsonObject, index: number): string | undefined {
  const at = `contents[${index}]`
  const { role } = content
  if (role !== 'user' && role !== 'model') return `${at}: Please use a valid role: user, model.`
  const parts = partsOf(content)
  if (!parts.length) return `${at}.parts: must not be empty`
  return first(parts, (part, place) => partProblem(part, role, `${at}.parts[${place}]`))
}

function partProblem(part: JsonObject, role: string, at: string): string | undefined {
  const stranger = strangerOf(part, partFields)
  if (stranger) return `Invalid JSON payload received. Unknown name "${stranger}" at '${at}': Cannot find field.`
  const data = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'].filter(
    (key) => part[key] !== undefined,
  )
  if (data.length !== 1) return `${at}: required oneof field 'data' must have one initialized field`
  if (typeof part.text === 'string' && !part.text.trim() && !part.thoughtSignature)
    return `${at}: text must not be empty`
  if (part.functionCall !== undefined) {
    const { name, args } = objectOf(part.functionCall)
    if (role !== 'model' || typeof name !== 'string' || !toolName.test(name)) return `${at}: Invalid function call`
    return isObject(args) ? undefined : `${at}.functionCall.args: must be an object`
  }
  if (part.functionResponse === undefined) return undefined
  return role === 'user' && isObject(objectOf(part.functionResponse).response)
    ? undefined
    : `${at}: Invalid function response`
}

function orderProblem(contents: readonly JsonObject[]): string | undefined {
  if (contents[0]?.role !== 'user') return 'Please ensure that the first message is from the user'
  const isAnswer = (content: JsonObject | undefined) =>
    content !== undefined && kindOf(content, 'functionResponse').length > 0
  const twice = contents.findIndex(
    ({ role }, place) => role === contents[place - 1]?.role && !(role === 'user' && isAnswer(contents[place - 1])),
  )
  if (twice > 0) return `contents[${twice}]: Please ensure that multiturn requests alternate between user and model`
  return contents.at(-1)?.role === 'user' ? undefined : 'Please ensure that the last message is from the user'
}

function pairProblem(content: JsonObject, next: JsonObject | undefined, index: number): string | undefined {
  const calls = kindOf(content, 'functionCall')
  const answers = next ? kindOf(next, 'functionResponse') : []
  if (!calls.length && content.role === 'model' && answers.length)
    return `contents[${index + 1}]: function response turn comes immediately after a function call turn`
  if (!calls.length)
    return index === 0 && kindOf(content, 'functionResponse').length
      ? 'contents[0]: function response without call'
      : undefined
  if (calls.length !== answers.length)
    return `contents[${index}]: the number of function response parts must equal the number of function call parts`
  const wrong = calls.findIndex(({ name, id }, place) => answers[place]?.name !== name || answers[place]?.id !== id)
  return wrong < 0 ? undefined : `contents[${index + 1}]: function response ${wrong} does not match its function call`
}

function signatureProblem(contents: readonly JsonObject[], { served }: Known): string | undefined {
  const replies = contents.flatMap((content, index) => (content.role === 'model' ? [{ content, index }] : []))
  return first(replies, ({ content, index }, place) => {
    const parts = partsOf(content)
    const wrong = parts.find((part) => part.thoughtSignature !== undefined && !isGenuine(part.thoughtSignature, part))
    if (wrong) return `contents[${index}]: Thought signature is not valid`
    const turn = served(place)
    if (turn?.reasoning === undefined || !(turn.text || turn.calls?.length)) return undefined
    return parts.some(({ thoughtSignature }) => thoughtSignature !== undefined && thoughtSignature !== standIn)
      ? undefined
      : `contents[${index}]: Function call is missing a thought_signature: the signature of this reply did not come back`
  })
}

/** Only a call may have the stand-in. */
const isGenuine = (signature: Json, part: JsonObject): boolean =>
  signature === signatureOf(part) || (signature === standIn && part.functionCall !== undefined)
