// Money: integer nano-dollars of one reply, from its usage and a price. Pure.
import type { Cost, Usage } from '@tenon/protocol'
import type { Price } from '../providers/entry.ts'

export interface Prices {
  /** Of the settings. */
  readonly config?: Price
  readonly catalogue?: Price
  /** A plan pays: nothing is due for the single reply. */
  readonly plan?: boolean
}

/**
 * The cost of one reply. The whole reply is charged at the tier of its prompt. Cached tokens without a price of their own
 * cost what others do. No price is `null`, never 0.
 */
export function costOf(usage: Usage, { config, catalogue, plan }: Prices): Cost {
  if (plan) return { nanoUsd: 0, source: 'plan' }
  const price = config ?? catalogue
  if (!price) return { nanoUsd: null, source: 'unknown' }
  const { input, output, cacheRead, cacheWrite } = tierOf(price, usage)
  const sum =
    part(usage.input, input) +
    part(usage.cacheRead, cacheRead ?? input) +
    part(usage.cacheWrite, cacheWrite ?? input) +
    part(usage.output, output)
  return { nanoUsd: Number(rounded(sum)), source: config ? 'config' : 'catalogue' }
}

function tierOf(price: Price, { input, cacheRead, cacheWrite }: Usage): Omit<Price, 'tiers'> {
  const prompt = input + cacheRead + cacheWrite
  const [highest] = (price.tiers ?? []).filter(({ above }) => prompt > above).toSorted((a, b) => b.above - a.above)
  return highest ?? price
}

/** A price of a millionth of a dollar a million tokens is the finest that is kept. */
const scale = 1_000_000

/** USD per million tokens × tokens = micro-dollars; × 1,000 = nano-dollars; times `scale`, so that all stays whole. */
const part = (tokens: number, usdPerMillion: number): bigint =>
  BigInt(tokens) * 1000n * BigInt(Math.round(usdPerMillion * scale))

/** Half a nano-dollar and more is one. */
const rounded = (sum: bigint): bigint => (sum + BigInt(scale) / 2n) / BigInt(scale)
