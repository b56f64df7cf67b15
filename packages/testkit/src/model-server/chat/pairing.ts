// Calls and results of a chat history: every call has exactly one result, directly after its message, in call order.
import type { JsonObject } from '@tenon/protocol'
import { isObject, listOf } from '../wire/json.ts'

/** What is wrong with the pairing, worded as providers do; `undefined` when nothing is. */
export function pairingProblem(messages: readonly JsonObject[]): string | undefined {
  const seen = new Set<string>()
  let open: readonly string[] = []
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (message.role === 'tool') {
      const id = String(message.tool_call_id)
      const [due, ...rest] = open
      if (id !== due) return resultProblem(at, id, due, seen)
      open = rest
      continue
    }
    if (open.length) return unanswered(open)
    open = idsOf(message)
    for (const id of open) {
      if (seen.has(id)) return `${at}: tool call id ${id} is used twice`
      seen.add(id)
    }
  }
  return open.length ? unanswered(open) : undefined
}

const idsOf = (message: JsonObject): readonly string[] =>
  listOf(message.tool_calls).flatMap((call) => (isObject(call) && typeof call.id === 'string' ? [call.id] : []))

const unanswered = (ids: readonly string[]) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`

function resultProblem(at: string, id: string, due: string | undefined, seen: ReadonlySet<string>): string {
  if (!seen.has(id))
    return `${at}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'; there is no call ${id}`
  if (due === undefined)
    return `${at}: the call ${id} has no open place here: answered already, or not directly after its message`
  return `${at}: results must follow in call order; ${due} is due, not ${id}`
}
