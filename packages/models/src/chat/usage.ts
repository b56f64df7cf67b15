// Counts of a chat reply in our terms: disjoint, reasoning within output.
import type { Cost, JsonObject, Usage } from '@tenon/protocol'
import { countOf, objectOf } from '../wire/json.ts'
import type { Piece } from '../wire/reader.ts'

/** The wire's prompt count holds the cached tokens. DeepSeek says cache hits in a field of its own. */
export function usagePiece(raw: JsonObject): Piece {
  const prompt = objectOf(raw.prompt_tokens_details)
  const completion = objectOf(raw.completion_tokens_details)
  const cacheRead = countOf(prompt.cached_tokens) || countOf(raw.prompt_cache_hit_tokens)
  const cacheWrite = countOf(prompt.cache_write_tokens)
  const reasoning = countOf(completion.reasoning_tokens)
  const usage: Usage = {
    input: Math.max(0, countOf(raw.prompt_tokens) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: countOf(raw.completion_tokens) + (isBeside(raw, reasoning) ? reasoning : 0),
    reasoning,
  }
  return { type: 'usage', usage, ...costOf(raw) }
}

/** Some (xAI) count reasoning beside the completion: the total shows it, or the reasoning is more than the whole. */
function isBeside(raw: JsonObject, reasoning: number): boolean {
  const [prompt, completion] = [countOf(raw.prompt_tokens), countOf(raw.completion_tokens)]
  return reasoning > completion || (reasoning > 0 && countOf(raw.total_tokens) === prompt + completion + reasoning)
}

/** OpenRouter and its like state the price in USD. */
function costOf({ cost }: JsonObject): { readonly cost?: Cost } {
  return typeof cost === 'number' ? { cost: { nanoUsd: Math.round(cost * 1e9), source: 'provider' } } : {}
}
