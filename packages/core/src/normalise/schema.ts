// The JSON Schema of a tool's input: ours (with marks) for normalisation, and the provider-safe one that a model sees.
import type { Json, JsonObject } from '@tenon/protocol'
import { z } from 'zod'
import type { Tool } from '../tool.ts'

/** Marks beside the standard keys: `hidden`, `synonyms`, `aliases`, `milliseconds`. */
export type JsonSchema = JsonObject

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  isObject(schema.properties) ? (schema.properties as Record<string, JsonSchema>) : {}

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : []

/** As zod writes it, references inlined, with our marks. */
export const toInputSchema = (tool: Tool): JsonSchema =>
  z.toJSONSchema(tool.schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }) as JsonSchema

/** Keys that every provider takes, in the one order in which they are written (the cached prefix must not move). */
const kept = ['type', 'description', 'enum', 'anyOf', 'items', 'properties', 'required'] as const

/** Provider-safe schema: no hidden parameter, no reference, `additionalProperties: false`, fixed key order. */
export function toModelSchema(tool: Tool): Json {
  return project(toInputSchema(tool))
}

function project(schema: JsonSchema): Json {
  const properties = Object.entries(propertiesOf(schema)).filter(([, field]) => field.hidden !== true)
  const shown = new Set(properties.map(([key]) => key))
  const out: Record<string, Json> = {}
  for (const key of kept) {
    const value = schema[key]
    if (key === 'properties' && schema.type === 'object')
      out.properties = Object.fromEntries(properties.map(([name, field]) => [name, project(field)]))
    else if (key === 'required') {
      const required = requiredOf(schema).filter((name) => shown.has(name))
      if (required.length) out.required = required
    } else if (key === 'items' && isObject(value)) out.items = project(value)
    else if (key === 'anyOf' && Array.isArray(value)) out.anyOf = value.filter(isObject).map(project)
    else if (value !== undefined && key !== 'properties') out[key] = value
  }
  if (schema.type === 'object') out.additionalProperties = false
  return out
}
