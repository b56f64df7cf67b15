// OpenAI responses on the wire: POST /responses. Facts: https://platform.openai.com/docs/api-reference/responses
import type { Json, JsonObject } from '@tenon/protocol'
import type { WireError, WireFacts, WireFormat } from '../format.ts'
import { isObject, listOf } from '../wire/json.ts'
import { blankFrames, event, responsesFrames, whole } from './frames.ts'
import { itemsOf, itemText, runsOf } from './items.ts'
import { responsesRefusal } from './strict.ts'

export const responsesFormat: WireFormat = {
  name: 'openai-responses',
  matches: (path) => path.endsWith('/responses'),
  // The list of openai-chat serves both.
  list: () => undefined,
  keyOf: ({ authorization }) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1],
  read,
  refusal: responsesRefusal,
  frames: responsesFrames,
  blankFrames,
  whole,
  error: (error) => ({ error: toError(error) }),
  errorFrame: (error) => event({ ...toError(error), type: 'error', sequence_number: 0 }),
}

function read(body: JsonObject): WireFacts {
  const runs = runsOf(itemsOf(body))
  return {
    model: typeof body.model === 'string' ? body.model : '',
    stream: body.stream === true,
    replies: runs.filter(({ kind }) => kind === 'reply').length,
    newest: (runs.at(-1)?.items ?? []).map(itemText).join('\n'),
    tools: listOf(body.tools).flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? [tool.name] : [])),
  }
}

const toError = ({ message, code }: WireError): { readonly [key: string]: Json } => ({
  message,
  type: code,
  param: null,
  code,
})
