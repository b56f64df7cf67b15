// A call as the model wrote it: its JSON mended if it can be, its canonical tool beside the model's own name, its own id.
import type { CallPart } from '@tenon/protocol'
import type { ModelPart } from '../model.ts'
import { repairJson } from '../normalise/json.ts'
import { resolveName, unknownToolMessage } from '../normalise/name.ts'
import type { PerformPorts } from './ports.ts'

type CallEnd = Extract<ModelPart, { type: 'call.end' }>

/** Calls that one reply may hold, and how deep arguments may nest: beyond it is a model that runs wild. */
const callLimit = 128
const depthLimit = 100

/** @param place of the call in its reply, from 0 */
export function toCallPart(end: CallEnd & { readonly wireId: string }, place: number, ports: PerformPorts): CallPart {
  const resolved = resolveName(end.name, ports.tools)
  const parsed = isTooDeep(end.text) ? tooDeep : repairJson(end.text)
  const json = place < callLimit ? parsed : tooMany
  const known = 'tool' in resolved
  const invalid = !known
    ? { code: 'tool_unknown', message: unknownToolMessage(end.name, resolved.nearest) }
    : 'error' in json
      ? { code: json.error.code, message: json.error.message }
      : undefined
  return {
    type: 'call',
    // Ids of the wire may be empty or come twice; ours are unique in the session.
    id: `call_${ports.ids().slice(-16)}`,
    name: end.name,
    tool: known ? resolved.tool.name : end.name,
    input: 'error' in json ? {} : json.value,
    ...(end.wireId !== '' && { wireId: end.wireId }),
    ...('error' in json && { raw: end.text }),
    repairs: [...(known ? resolved.repairs : []), ...('error' in json ? [] : json.repairs)],
    ...(invalid && { invalid }),
    ...(end.meta !== undefined && { meta: end.meta }),
  }
}

const tooMany = {
  error: { code: 'too_many', message: `A reply may hold ${callLimit} calls. Send the rest in the next reply.` },
} as const

const tooDeep = {
  error: { code: 'args_invalid', message: `The arguments nest deeper than ${depthLimit} levels. Send flat ones.` },
} as const

/** Counted on the text, brackets in strings too: a text that fools it is refused, never run. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth > depthLimit) return true
  }
  return false
}
