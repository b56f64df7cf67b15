// A call as the model wrote it: its JSON mended if it can be, its canonical tool beside the model's own name, its own id.
import type { CallPart } from '@tenon/protocol'
import type { ModelPart } from '../model.ts'
import { repairJson } from '../normalise/json.ts'
import { resolveName, unknownToolMessage } from '../normalise/name.ts'
import type { PerformPorts } from './ports.ts'

type CallEnd = Extract<ModelPart, { type: 'call.end' }>

export function toCallPart(end: CallEnd & { readonly wireId: string }, ports: PerformPorts): CallPart {
  const resolved = resolveName(end.name, ports.tools)
  const json = repairJson(end.text)
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
