// A scripted turn in the words of OpenAI chat: calls, finish reason, usage.
import type { FinishReason, Json } from '@tenon/protocol'
import type { WireReply } from '../format.ts'
import type { ServerTurn } from '../turn.ts'

export interface WireCall {
  readonly id: string
  readonly name: string
  /** Argument text. */
  readonly text: string
}

export const callsOf = ({ turn, place }: WireReply): readonly WireCall[] =>
  (turn.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${place + 1}_${index + 1}`,
    name: call.name,
    text: call.raw ?? JSON.stringify(call.input ?? {}),
  }))

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
  interrupted: 'stop',
  error: 'error',
}

export const finishOf = ({ finish, calls }: ServerTurn): string =>
  finishReasons[finish ?? (calls?.length ? 'calls' : 'stop')]

/** Disjoint counts of the script become the wire's overlapping ones: prompt holds the cached tokens. */
export function usageOf(reply: WireReply): Json {
  const { usage, text = '', reasoning = '' } = reply.turn
  const said = text.length + reasoning.length + callsOf(reply).reduce((sum, call) => sum + call.text.length, 0)
  const {
    input = 0,
    cacheRead = 0,
    cacheWrite = 0,
    output = 0,
    reasoning: thought = 0,
  } = usage ?? {
    input: Math.ceil(JSON.stringify(reply.body).length / 4),
    output: Math.ceil(said / 4),
  }
  const prompt = input + cacheRead + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: thought },
  }
}
