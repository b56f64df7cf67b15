// What an adapter knows of the model it speaks to: each fact from the settings, the catalogue or a default.
import type { Prices } from '../catalogue/cost.ts'
import type { ReasoningKind } from '../providers/entry.ts'
import type { Quirks } from '../quirks/quirks.ts'

export interface ModelFacts {
  /** Id under `providers`. */
  readonly provider: string
  /** Model id as the provider knows it. */
  readonly id: string
  /** Lineage (`claude`, `gpt`, …): signed reasoning is shared within it. Empty when unknown. */
  readonly family: string
  /** Tokens of prompt and reply together. */
  readonly window?: number
  /** Tokens of one reply at most. */
  readonly output?: number
  readonly prices: Prices
  readonly vision: boolean
  readonly reasoning: ReasoningKind
  readonly parallelTools: boolean
  /** Whether the prompt is marked for the provider's cache, keyed, or neither. */
  readonly cache: 'markers' | 'key' | 'none'
  readonly quirks: Quirks
}
