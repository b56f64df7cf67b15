// Schemas as words for people: the type of each field, and the comment that stands above it in the source.

/** What is read of a zod schema; structural, so that the scripts need no schema library of their own. */
interface Schema {
  readonly def: {
    readonly type: string
    readonly innerType?: Schema
    readonly element?: Schema
    readonly shape?: Readonly<Record<string, Schema>>
    readonly entries?: Readonly<Record<string, string>>
    readonly values?: readonly unknown[]
    readonly options?: readonly Schema[]
    readonly items?: readonly Schema[]
    readonly valueType?: Schema
    readonly format?: string
  }
}

/** Named shapes: shown by their name wherever they stand. */
export type Names = ReadonlyMap<unknown, string>

/** The type in words: `"a" or "b"`, `text[]`, `{name: text}`. */
export function typeOf(schema: unknown, names: Names): string {
  const known = names.get(schema)
  if (known) return known
  // The structure above is what zod 4 documents for library authors.
  const { def } = schema as Schema
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return 'text'
    case 'number':
      return def.format ? 'integer' : 'number'
    case 'boolean':
      return 'true or false'
    case 'lazy':
      return 'JSON'
    case 'literal':
      return (def.values ?? []).map((value) => JSON.stringify(value)).join(' or ')
    case 'enum':
      return Object.values(def.entries ?? {})
        .map((value) => JSON.stringify(value))
        .join(' or ')
    case 'array':
      return `list of ${wrapped(typeOf(def.element, names))}`
    case 'record':
      return `{key: ${typeOf(def.valueType, names)}}`
    case 'tuple':
      return `[${(def.items ?? []).map((item) => typeOf(item, names)).join(', ')}]`
    case 'nullable':
      return `${typeOf(def.innerType, names)} or null`
    case 'optional':
    case 'default':
      return typeOf(def.innerType, names)
    case 'union':
      return (def.options ?? []).map((option) => typeOf(option, names)).join(' or ')
    case 'object':
      return `{${fieldsOf(schema)
        .map(([name, field]) => `${name}${isOptional(field) ? '?' : ''}: ${typeOf(field, names)}`)
        .join(', ')}}`
    default:
      return def.type
  }
}

const wrapped = (text: string): string => (/ or /.test(text) && !text.startsWith('{') ? `(${text})` : text)

/** Fields of an object schema, in the order of their declaration. */
export const fieldsOf = (schema: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries((schema as Schema).def.shape ?? {})

export const optionsOf = (schema: unknown): readonly unknown[] => (schema as Schema).def.options ?? []

export const isOptional = (schema: unknown): boolean => ['optional', 'default'].includes((schema as Schema).def.type)

/**
 * Comments of fields within a piece of source, by field name: `/** text *` + `/` on the line or lines above the field.
 * @param from the text after which the piece begins; it ends where indentation comes back to that line's
 */
export function commentsIn(source: string, from: string): ReadonlyMap<string, string> {
  const at = source.indexOf(from)
  const found = new Map<string, string>()
  if (at < 0) return found
  const start = source.lastIndexOf('\n', at) + 1
  const indent = /^ */.exec(source.slice(start))?.[0] ?? ''
  const rest = source.slice(start)
  const end = new RegExp(`\\n${indent}[\\])}]`).exec(rest)?.index ?? rest.length
  for (const [, text = '', name = ''] of rest.slice(0, end).matchAll(/\/\*\*([\s\S]*?)\*\/\s*'?([\w.]+)'?[:,]/g))
    found.set(name, clean(text))
  return found
}

/** The comment directly above a piece of source, or nothing. */
export function commentAbove(source: string, from: string): string {
  const at = source.indexOf(from)
  const before = at < 0 ? '' : source.slice(0, at).trimEnd()
  const comment = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : ''
  return clean(comment.replace(/^\/\*\*|\*\/$/g, ''))
}

const clean = (text: string): string =>
  text
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** One row of a table; pipes and line ends in cells are made harmless. */
export const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`

/** A code span, or nothing for nothing. */
export const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
