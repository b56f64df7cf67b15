// Why a request is refused before its turn is played: the key, the strict mock, the script's own expectations.
import { badRequest, toWireError } from './errors.ts'
import type { Known, WireError, WireFacts, WireFormat } from './format.ts'
import type { ModelServerOptions, RecordedRequest } from './options.ts'
import type { ServerTurn } from './turn.ts'

export interface Asked extends Pick<RecordedRequest, 'headers' | 'body'> {
  readonly format: WireFormat
  readonly facts: WireFacts
  readonly query: URLSearchParams
}

/** @param served the turn that stands at a place of the history, if this server served it */
export function refusalOf(
  options: ModelServerOptions,
  { format, body, facts, headers, query }: Asked,
  served: Known['served'],
): WireError | undefined {
  if (options.apiKey !== undefined && format.keyOf(headers, query) !== options.apiKey)
    return toWireError({ class: 'auth' })
  const strict = options.strict ? format.refusal(body, { window: options.window, served }) : undefined
  if (strict) return strict
  const turn = options.script[facts.replies]
  const problem = turn ? unexpected(turn, facts) : `the script has only ${options.script.length} turns.`
  return problem === undefined ? undefined : badRequest(`script, turn ${facts.replies + 1}: ${problem}`)
}

function unexpected({ expect }: ServerTurn, { newest, tools: offered }: WireFacts): string | undefined {
  const { last, tools = [] } = expect ?? {}
  if (last !== undefined && !newest.includes(last))
    return `expected the newest message to contain ${JSON.stringify(last)}; it is ${JSON.stringify(newest.slice(0, 500))}.`
  const missing = tools.filter((tool) => !offered.includes(tool))
  return missing.length
    ? `expected the tools ${missing.join(', ')}; offered are ${offered.join(', ') || 'none'}.`
    : undefined
}
