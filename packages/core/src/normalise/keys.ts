// Normalisation, step 3: keys of the model → our parameter names. A canonical key beats its alias.
import type { Json, JsonObject } from '@tenon/protocol'
import { fold } from './name.ts'
import { isObject, type JsonSchema, propertiesOf } from './schema.ts'

export type Renamed = { readonly value: JsonObject; readonly repairs: readonly string[] }

/** Parameters that the harness itself adds to schemas; popped unless the tool owns one of that name. */
const ours = ['summary', 'risk', 'security_risk', 'securityrisk', 'security_level']

/** Renames by alias, then by a spelling that differs only in case, `_` and `-`, at every depth that the schema knows. */
export function renameKeys(
  value: JsonObject,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>> = {},
  path = '',
): Renamed {
  const properties = propertiesOf(schema)
  const known = Object.keys(properties)
  const out: Record<string, Json> = {}
  const repairs: string[] = []
  for (const key of known) if (key in value) out[key] = value[key] ?? null
  for (const [key, field] of Object.entries(value)) {
    if (known.includes(key)) continue
    const target = targetOf(key, known, aliases)
    if (target && !(target in out)) {
      out[target] = field
      repairs.push(`${path}${key} → ${path}${target}`)
    } else if (target) repairs.push(`${path}${key} ignored: ${path}${target} is given`)
    else if (path || !ours.includes(key.toLowerCase())) repairs.push(`${path}${key} ignored: no such parameter`)
  }
  for (const key of Object.keys(out))
    out[key] = renameInside(out[key] ?? null, properties[key], `${path}${key}`, repairs)
  return { value: out, repairs }
}

function targetOf(
  key: string,
  known: readonly string[],
  aliases: Readonly<Record<string, string>>,
): string | undefined {
  const alias = aliases[key]
  if (alias) return alias
  const spelled = known.filter((name) => fold(name) === fold(key) && fold(key) !== '')
  if (spelled.length === 1) return spelled[0]
  return Object.entries(aliases).find(([name]) => fold(name) === fold(key))?.[1]
}

/** The same inside a list or object, as far as the schema says what stands there. */
export function renameInside(value: Json, schema: JsonSchema | undefined, path: string, repairs: string[]): Json {
  if (!schema) return value
  if (Array.isArray(value) && isObject(schema.items))
    return value.map((item, i) => renameInside(item, schema.items as JsonSchema, `${path}[${i}]`, repairs))
  if (!isObject(value) || Object.keys(propertiesOf(schema)).length === 0) return value
  const renamed = renameKeys(value, schema, schema.aliases as Record<string, string> | undefined, `${path}.`)
  repairs.push(...renamed.repairs)
  return renamed.value
}
