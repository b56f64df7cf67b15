// Prompt and reply share one window: the cap of the reply is what the prompt leaves.
import type { JsonObject } from '@tenon/protocol'

/** Tokens that a reply gets in any case: the provider says it better than we do when not even these fit. */
const least = 1024

/** Tokens of a body, characters / 4: what a request is guessed to weigh until the provider says it. */
export const estimateTokens = (body: JsonObject): number => Math.ceil(JSON.stringify(body).length / 4)

/** @param window tokens of prompt and reply together; unknown leaves the cap as it is */
export function clampOutput(cap: number, window: number | undefined, prompt: number): number {
  if (window === undefined) return cap
  return Math.min(cap, Math.max(least, window - prompt))
}
