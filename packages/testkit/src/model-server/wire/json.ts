// Reading JSON that a client wrote, and judging it item by item.
import type { Json, JsonObject } from '@tenon/protocol'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The first problem that an item has. */
export function first<T>(
  items: readonly T[],
  problem: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index)
    if (found) return found
  }
  return undefined
}

/** The key of `object` that is not among `known`. */
export const strangerOf = (object: JsonObject, known: string): string | undefined =>
  Object.keys(object).find((key) => !known.split(' ').includes(key))

/** No lone surrogate in any string or key. */
export function isWellFormed(value: Json | JsonObject): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, field]) => key.isWellFormed() && isWellFormed(field))
}

export const toolName = /^[A-Za-z0-9_-]{1,64}$/
