// From what a model wrote to an input that a tool can run: steps 3 to 6 of normalisation. Pure; every change is noted.
import type { Json, JsonObject } from '@tenon/protocol'
import type { Tool } from '../tool.ts'
import { renameKeys } from './keys.ts'
import { nearestWords } from './name.ts'
import { type PathPlace, toAbsolutePath } from './paths.ts'
import { isObject, type JsonSchema, propertiesOf, requiredOf, toInputSchema } from './schema.ts'
import { correctValues } from './values.ts'

export type NormalisedInput =
  | { readonly input: JsonObject; readonly repairs: readonly string[] }
  /** What is wrong, one issue a line, with a minimal valid example: for the model, code `args_invalid`. */
  | { readonly issues: string }

/** Keys, values, paths, then the tool's own schema. */
export function normaliseInput(tool: Tool, rawInput: Json, place: PathPlace): NormalisedInput {
  const schema = toInputSchema(tool)
  const unwrapped = typeof rawInput === 'string' ? parseObject(rawInput) : rawInput
  if (!isObject(unwrapped))
    return { issues: `${tool.name} takes a JSON object, got ${kindOf(rawInput)}. ${example(schema)}` }
  const keys = renameKeys(unwrapped, schema, tool.parameterAliases)
  const values = correctValues(keys.value, schema)
  const paths = absolutePaths(tool, values.value, place)
  const checked = tool.schema.safeParse(paths.value)
  if (checked.success)
    return { input: checked.data as JsonObject, repairs: [...keys.repairs, ...values.repairs, ...paths.repairs] }
  const unknown = Object.keys(unwrapped).filter((key) => !(key in keys.value))
  const issues = checked.error.issues.map((issue: Issue) => describe(issue, paths.value, schema, unknown))
  return { issues: `${tool.name}: ${issues.join('; ')}. ${example(schema)}` }
}

function absolutePaths(tool: Tool, input: JsonObject, place: PathPlace): { value: JsonObject; repairs: string[] } {
  const repairs: string[] = []
  const value: Record<string, Json> = { ...input }
  for (const key of tool.paths) {
    const written = value[key]
    if (typeof written !== 'string' || written === '') continue
    const path = toAbsolutePath(written, place)
    if (path !== written) repairs.push(`${key}: ${JSON.stringify(written)} → ${JSON.stringify(path)}`)
    value[key] = path
  }
  return { value, repairs }
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly code?: string | undefined }

function describe(issue: Issue, input: Json, schema: JsonSchema, unknown: readonly string[]): string {
  const name = issue.path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`))
    .join('')
  const got = issue.path.reduce<Json | undefined>(
    (value, key) => (value as Record<PropertyKey, Json> | undefined)?.[key],
    input,
  )
  const field = propertiesOf(schema)[String(issue.path[0])]
  if (got === undefined && field) {
    const near = unknown.length ? ` (nearest given: ${nearestWords(name, unknown, 1).join('')})` : ''
    return `${name} is missing${near}`
  }
  return `${name || 'input'}: ${issue.message}, got ${brief(got)}`
}

const brief = (value: Json | undefined): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const kindOf = (value: Json): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`

function parseObject(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function example(schema: JsonSchema): string {
  return `Example: ${JSON.stringify(sample(schema))}`
}

function sample(schema: JsonSchema): Json {
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? ''
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(requiredOf(schema).map((key) => [key, sample(propertiesOf(schema)[key] ?? {})]))
    case 'array':
      return isObject(schema.items) ? [sample(schema.items)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return '…'
  }
}
