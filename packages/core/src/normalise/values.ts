// Normalisation, step 4: values to the type that is due. Text where text is due is never touched.
import type { Json, JsonObject } from '@tenon/protocol'
import { renameInside } from './keys.ts'
import { isObject, type JsonSchema, propertiesOf, requiredOf } from './schema.ts'

/** What stands for "nothing" where a parameter may be left out. */
const nothing: readonly Json[] = [null, 'null', 'undefined', '']

/** Corrects the fields of an object; `path` is only for the notes. */
export function correctValues(
  value: JsonObject,
  schema: JsonSchema,
  path = '',
): { readonly value: JsonObject; readonly repairs: readonly string[] } {
  const repairs: string[] = []
  const required = requiredOf(schema)
  const properties = propertiesOf(schema)
  const out: Record<string, Json> = {}
  for (const [key, field] of Object.entries(value)) {
    const due = properties[key]
    if (!due) continue
    const text = isText(due)
    if (!required.includes(key) && (text ? field === null : nothing.includes(field))) {
      repairs.push(`${path}${key} dropped: ${JSON.stringify(field)}`)
      continue
    }
    out[key] = correct(field, due, `${path}${key}`, repairs)
  }
  return { value: out, repairs }
}

const isText = (schema: JsonSchema): boolean => schema.type === 'string' && !schema.enum

function correct(value: Json, due: JsonSchema, path: string, repairs: string[]): Json {
  const read = toType(value, due)
  if (read !== value) repairs.push(`${path}: ${brief(value)} → ${brief(read)}`)
  // What was JSON text has not had its keys looked at yet.
  const typed = read === value ? read : renameInside(read, due, path, repairs)
  if (due.milliseconds === true && typeof typed === 'number' && typed >= 1 && typed <= 600) {
    repairs.push(`${path}: ${typed} read as seconds`)
    return typed * 1000
  }
  if (Array.isArray(typed) && isObject(due.items)) {
    const items = due.items
    return typed.map((item, i) => correct(item, items, `${path}[${i}]`, repairs))
  }
  if (isObject(typed) && due.properties) {
    const inner = correctValues(typed, due, `${path}.`)
    repairs.push(...inner.repairs)
    return inner.value
  }
  return typed
}

/** The value in the type that is due, or the value itself where nothing fits: the schema then says what is wrong. */
function toType(value: Json, due: JsonSchema): Json {
  if (Array.isArray(due.enum)) return toEnum(value, due.enum, due.synonyms)
  switch (due.type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
    case 'boolean':
      return typeof value === 'string' && /^(true|false)$/i.test(value.trim()) ? /^true$/i.test(value.trim()) : value
    case 'string':
      return toText(value)
    case 'array':
      return toArray(value)
    case 'object':
      return typeof value === 'string' ? (parsed(value, isObject) ?? value) : value
    default:
      return value
  }
}

function toEnum(value: Json, known: readonly Json[], synonyms: Json | undefined): Json {
  if (typeof value !== 'string' || known.includes(value)) return value
  const fold = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
  const other = isObject(synonyms) ? synonyms[fold(value)] : undefined
  return known.find((item) => typeof item === 'string' && fold(item) === fold(value)) ?? other ?? value
}

/** Chunk lists joined; numbers and booleans written out. */
function toText(value: Json): Json {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return value
  const chunks = value.map((chunk) => (isObject(chunk) ? chunk.text : chunk))
  return chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : value
}

function toArray(value: Json): Json {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return parsed(value, Array.isArray) ?? [parsed(value, isObject) ?? value]
  return value === null ? value : [value]
}

function parsed(text: string, fits: (value: unknown) => boolean): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: Json = JSON.parse(text)
    return fits(value) ? value : undefined
  } catch {
    return undefined
  }
}

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
