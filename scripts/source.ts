// Reads TypeScript just well enough for the checks: blanks what is not code, lists imports and exports. No parser.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** One `import` or `export … from`, static or dynamic. `line` counts from 1. */
export type Import = { readonly specifier: string; readonly line: number; readonly all: boolean }

/** Path from the root (`packages/core/src/loop.ts`) → text. */
export type Sources = ReadonlyMap<string, string>

export const root = join(import.meta.dirname, '..')

/** All TypeScript sources of the workspace packages. */
export function readSources(): Sources {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name, 'src')
    if (!existsSync(folder)) continue
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      found.set(relative(root, path), readFileSync(path, 'utf8'))
    }
  }
  return found
}

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`|(?<=[=(,:[!&|?;{}\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

/** The text with comments turned to spaces; with `strings`, the words of string, template and regex literals too. */
export function blank(text: string, strings = false): string {
  return text.replace(token, (match) => {
    const isComment = match.startsWith('//') || match.startsWith('/*')
    if (isComment) return match.replace(/[^\n]/g, ' ')
    if (!strings) return match
    const inside = match.slice(1, -1)
    const interpolation = match.startsWith('`') ? /(\$\{[^{}`]*\})|[^\n]/g : /()[^\n]/g
    return match[0] + inside.replace(interpolation, (_, code) => code || ' ') + match.at(-1)
  })
}

const statement =
  /(?<![.\w$])(?:(?:import|export)\s+(?:type\s+)?(?<names>[\w$*{][\w$*{},\s]*?)\s*from\s*|import\s*\(\s*|import\s+)(?<quote>['"])/g

/** Every import of a file, type-only ones, re-exports and `import()` included; text inside strings is not mistaken for code. */
export function importsOf(text: string): readonly Import[] {
  const code = blank(text)
  return [...blank(text, true).matchAll(statement)].map((match) => {
    const start = match.index + match[0].length
    const end = code.indexOf(match.groups?.quote ?? "'", start)
    const all = match[0].startsWith('export') && (match.groups?.names ?? '').startsWith('*')
    return { specifier: code.slice(start, end), line: lineAt(text, match.index), all }
  })
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
