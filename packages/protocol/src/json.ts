// JSON values, deep read-only types, and the one canonical text that hashes are taken over.
import { z } from 'zod'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }
export const json: z.ZodType<Json> = z.json()

/** Deep read-only; JSON values are so already. */
export type Immutable<T> = [Json] extends [T]
  ? T
  : T extends (infer E)[]
    ? readonly Immutable<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Immutable<T[K]> }
      : T

/** JSON with object keys in ascending order and no blanks: equal values give equal text, whatever wrote them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}

/** Hex SHA-256 of UTF-8 text. Pure code takes it as an argument, so that it needs no runtime. */
export type Hash = (text: string) => string
