// A JSON Schema for servers that know only the plain part of the language: references in place, no union at the top,
// only the words that every one of them reads.
import type { Json, JsonObject } from '@tenon/protocol'
import { listOf, objectOf, textOf, toObject } from '../wire/json.ts'

const words = new Set(
  (
    'type description properties required items enum anyOf minimum maximum minItems maxItems minLength maxLength ' +
    'pattern format nullable title'
  ).split(' '),
)

/** Deeper than this a reference is taken for a circle and becomes any object. */
const maxDepth = 24

/** @param schema of a tool's input; what is no object schema becomes one */
export function toPlainSchema(schema: Json): JsonObject {
  const root = objectOf(schema)
  const plain = objectOf(toPlain(root, root, 0))
  const united = [...listOf(plain.anyOf).map(objectOf), ...(plain.properties ? [plain] : [])]
  if (plain.anyOf === undefined) return plain.type === 'object' ? plain : { ...plain, type: 'object' }
  const properties = Object.assign({}, ...united.map((branch) => objectOf(branch.properties)))
  const lists = united.map((branch) => listOf(branch.required))
  // Required is what every branch requires.
  const [first = [], ...others] = lists
  const required = first.filter((name) => others.every((list) => list.includes(name)))
  const { anyOf: _, ...rest } = plain
  return { ...rest, type: 'object', properties, ...(required.length && { required }) }
}

function toPlain(schema: Json, root: JsonObject, depth: number): Json {
  const object = toObject(schema)
  // `true` and `{}` allow everything.
  if (!object || depth > maxDepth) return { type: 'object' }
  if (typeof object.$ref === 'string') {
    const { $ref, ...beside } = object
    return toPlain({ ...objectOf(targetOf($ref, root)), ...beside }, root, depth + 1)
  }
  const { const: only, oneOf, allOf, type, ...rest } = object
  const joined = listOf(allOf).map((part) => objectOf(toPlain(part, root, depth + 1)))
  const all = Object.assign({}, ...joined, rest, ...(only !== undefined ? [{ enum: [only] }] : []))
  if (oneOf !== undefined && all.anyOf === undefined) all.anyOf = oneOf
  const kept = Object.entries({ ...all, ...typeFields(type) }).filter(([key]) => words.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, field(key, value as Json, { root, depth: depth + 1 })]))
}

/** A list of types is one type that may be null, else the first. */
function typeFields(type: Json | undefined): JsonObject {
  if (!Array.isArray(type)) return type === undefined ? {} : { type }
  const [first = 'string'] = type.filter((name) => name !== 'null')
  return { type: first, ...(type.includes('null') && { nullable: true }) }
}

function field(key: string, value: Json, { root, depth }: { root: JsonObject; depth: number }): Json {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(objectOf(value)).map(([name, part]) => [name, toPlain(part, root, depth)]))
  if (key === 'items') return toPlain(Array.isArray(value) ? (value[0] ?? {}) : value, root, depth)
  if (key === 'anyOf') return listOf(value).map((part) => toPlain(part, root, depth))
  return value
}

/** Only references within the schema can be followed. */
function targetOf(reference: string, root: JsonObject): Json | undefined {
  const path = reference.startsWith('#/') ? reference.slice(2).split('/') : []
  const names = path.map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'))
  return path.length ? names.reduce<Json | undefined>((at, name) => objectOf(at)[textOf(name)], root) : undefined
}
