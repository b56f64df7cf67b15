// Reading JSON that somebody else wrote: each function gives the shape asked for, or its nothing.
import type { Json, JsonObject } from '@tenon/protocol'

/** The object, or `undefined` for anything else. What came out of JSON.parse is a JsonObject by definition. */
export const toObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

/** The object, or an empty one. */
export const objectOf = (value: unknown): JsonObject => toObject(value) ?? {}

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])

/** Strings as they are, everything else as the empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A count of tokens: whole and not negative; 0 for what is no number. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
