// A small seeded generator, so that a life can be lived again.
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Whole, 0 to n − 1. */
  below(n: number): number
  chance(p: number): boolean
  pick<T>(items: readonly T[]): T | undefined
  /** One of the names, by weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

export function createRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    next,
    below,
    chance: (p) => next() < p,
    pick: (items) => items[below(items.length)],
    weighted(weights) {
      const entries = Object.entries<number>(weights)
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        // The entries are the record's own keys.
        if (left < 0) return name as keyof typeof weights
      }
      return entries[0]?.[0] as keyof typeof weights
    },
  }
}
