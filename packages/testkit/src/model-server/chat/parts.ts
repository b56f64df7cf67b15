// A scripted turn in the words of OpenAI chat: finish reason, usage.
import type { FinishReason, Json } from '@tenon/protocol'
import type { WireReply } from '../format.ts'
import type { ServerTurn } from '../turn.ts'
import { countsOf } from '../wire/counts.ts'

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
  const { input, cacheRead, cacheWrite, output, reasoning } = countsOf(reply)
  const prompt = input + cacheRead + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
