// Keeps code in the documentation true: `<!-- include PATH NAME -->` … `<!-- end -->` is filled with the declaration NAME
// of that file (`Owner.start` for a method), without NAME with the whole file. What stands between is written, never read.
import { blank } from './source.ts'

const marker = /<!-- include (\S+)(?: (\S+))? -->\n[\s\S]*?<!-- end -->/g

/** @param read the text of a file by its path from the root. @throws Error for a marker that names nothing */
export function fillIncludes(text: string, read: (path: string) => string): string {
  return text.replace(marker, (_, path: string, name?: string) => {
    const source = read(path)
    const code = name === undefined ? source.trimEnd() : findDeclaration(source, name)
    if (code === undefined) throw new Error(`include ${path} ${name}: there is no such declaration`)
    const head = name === undefined ? `<!-- include ${path} -->` : `<!-- include ${path} ${name} -->`
    return `${head}\n\`\`\`${languageOf(path)}\n${code}\n\`\`\`\n<!-- end -->`
  })
}

const languageOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? ''

/** The lines of a declaration with the comment above it; `Class.method` for a method, shown without its indentation. */
export function findDeclaration(source: string, name: string): string | undefined {
  const lines = source.split('\n')
  const code = blank(source, true).split('\n')
  const [owner, member] = name.split('.')
  const start = findStart(code, top(owner ?? ''), 0, code.length)
  if (start === undefined) return undefined
  if (member === undefined) return cut(lines, code, start)
  const inside = findStart(code, method(member), start + 1, endOf(code, start))
  return inside === undefined ? undefined : cut(lines, code, inside)
}

const top = (name: string) =>
  new RegExp(`^(?:export )?(?:async )?(?:function\\*?|class|const|type|interface) ${literal(name)}\\b`)
const method = (name: string) => new RegExp(`^  (?:async |get |set |static )*\\*?${literal(name)}\\s*[(<]`)

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function findStart(code: readonly string[], pattern: RegExp, from: number, to: number): number | undefined {
  const at = code.slice(from, to).findIndex((line) => pattern.test(line))
  return at < 0 ? undefined : from + at
}

/** One past the last line: what is indented deeper belongs to it, and the bracket that closes it. */
function endOf(code: readonly string[], start: number): number {
  const indent = indentOf(code[start] ?? '')
  let end = start + 1
  for (let i = start + 1; i < code.length; i++) {
    const line = code[i] ?? ''
    if (line.trim() === '') continue
    const closes = indentOf(line) === indent && /^[)}\]]/.test(line.trim())
    if (indentOf(line) <= indent && !closes) break
    end = i + 1
  }
  return end
}

const indentOf = (line: string): number => line.length - line.trimStart().length

function cut(lines: readonly string[], code: readonly string[], start: number): string {
  let from = start
  while (from > 0 && /^\s*(?:\/\*\*|\*|\/\/)/.test(lines[from - 1] ?? '')) from--
  const indent = indentOf(code[start] ?? '')
  return lines
    .slice(from, endOf(code, start))
    .map((line) => line.slice(Math.min(indent, indentOf(line))))
    .join('\n')
    .trimEnd()
}
