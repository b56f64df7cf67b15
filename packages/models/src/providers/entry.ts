// Providers as data: what an entry of the setting `providers` says, its secrets resolved.
import type { JsonObject } from '@tenon/protocol'
import type { Quirks } from '../quirks/quirks.ts'

/** Wire formats. */
export const apis = ['openai-chat', 'openai-responses', 'anthropic', 'google'] as const
export type Api = (typeof apis)[number]

/** How the key is sent. */
export type Auth = 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'query' | 'none'

/** How a model takes an effort: not at all, as a word, as tokens to think with, or as a word for thinking at will. */
export type ReasoningKind = 'none' | 'effort' | 'budget' | 'adaptive'

/** USD per million tokens; `tiers` hold for prompts above `above` tokens, the highest that fits. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly tiers?: readonly (Omit<Price, 'tiers'> & { readonly above: number })[]
}

/** Every field falls back to the catalogue, then to a default. */
export interface ModelEntry {
  /** Tokens of prompt and reply together. */
  readonly context?: number
  /** Tokens of one reply. */
  readonly output?: number
  /** Name on the wire, when it is not the id. */
  readonly name?: string
  readonly tools?: 'native' | 'prompt' | 'none'
  readonly parallelTools?: boolean
  readonly vision?: boolean
  readonly reasoning?: ReasoningKind
  readonly cache?: 'markers' | 'key' | 'none'
  readonly price?: Price
  readonly family?: string
  readonly quirks?: Quirks
}

/** One connection. A known id (`knownProviders`) needs nothing but its key. */
export interface ProviderEntry {
  /** Wire format; needed for an id that is not known. */
  readonly api?: Api
  /** What stands before the endpoint; needed for an id that is not known. */
  readonly baseUrl?: string
  readonly apiKey?: string
  /** Where the key is looked for, for the message that says it is missing: `ACME_API_KEY`. */
  readonly apiKeyFrom?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Extra fields of every body, merged last. */
  readonly params?: JsonObject
  readonly auth?: Auth
  /** Seconds. */
  readonly timeouts?: { readonly connect?: number; readonly firstByte?: number; readonly idle?: number }
  readonly models?: Readonly<Record<string, ModelEntry>>
}

export type Providers = Readonly<Record<string, ProviderEntry>>
