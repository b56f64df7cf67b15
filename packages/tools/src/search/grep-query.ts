// Runs one query of Grep: what ripgrep is asked and what its JSON records say.
import type { ToolWorkspace } from '@tenon/core'
import { runRipgrep, type Searched } from './ripgrep.ts'
import { scopeArguments, toFilter } from './scope.ts'

export interface Query {
  readonly pattern: string
  /** Absolute, or `blob:<sha256>`. */
  readonly path: string
  /** What `path` is: globs are relative to a folder. */
  readonly base: string
  readonly glob?: string | undefined
  readonly type?: string | undefined
  readonly before: number
  readonly after: number
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly literal: boolean
  readonly pcre: boolean
  readonly includeIgnored: boolean
  readonly onlyMatching: boolean
  readonly timeoutMs: number
}

export interface Line {
  readonly number: number
  readonly text: string
  readonly isMatch: boolean
  /** Characters of `text` where the first match stands. */
  readonly at: number
}

export interface Answer extends Searched {
  /** File → its lines in order; with `names` the lists are empty and `counts` is filled. */
  readonly files: ReadonlyMap<string, readonly Line[]>
  readonly counts: ReadonlyMap<string, number>
}

/** Lines or files after which a search is stopped. */
const recordLimit = 50_000

/** @param names only which files match and how often, not the lines */
export async function ask(
  workspace: ToolWorkspace,
  query: Query,
  names: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const files = new Map<string, Line[]>()
  const counts = new Map<string, number>()
  const isBlob = query.path.startsWith('blob:')
  const inGlob = await toFilter(query.glob, query.base)
  const real = isBlob ? '' : await workspace.realPath(query.path)
  const fits = (path: string) => inGlob(path) && !workspace.hidden(real + path.slice(query.path.length))
  let records = 0
  const onName = (record: string): boolean => {
    const cut = record.lastIndexOf('\0')
    const path = isBlob ? query.path : record.slice(0, cut)
    if (isBlob || fits(path)) counts.set(path, Number(record.slice(cut + 1)))
    return ++records < recordLimit
  }
  const onJson = (record: string): boolean => {
    const parsed = toLines(record, query.onlyMatching)
    const path = isBlob ? query.path : (parsed?.path ?? '')
    if (!parsed || !(isBlob || fits(path))) return true
    const lines = files.get(path) ?? []
    files.set(path, lines)
    for (const line of parsed.lines) lines.push(line)
    records += parsed.lines.length
    return records < recordLimit
  }
  const searched = await runRipgrep(
    workspace,
    {
      args: [
        ...(names ? ['--count', '--with-filename', '--null'] : ['--json']),
        ...(await flags(workspace, query)),
        isBlob ? '-' : query.path,
      ],
      separator: 10,
      timeoutMs: query.timeoutMs,
      take: names ? onName : onJson,
      ...(isBlob && { stdin: await workspace.read(query.path) }),
    },
    signal,
  )
  return { ...searched, files, counts }
}

async function flags(workspace: ToolWorkspace, query: Query): Promise<readonly string[]> {
  const args = [...(await scopeArguments(workspace, query))]
  const add = (on: boolean, ...flag: string[]): void => {
    if (on) args.push(...flag)
  }
  add(query.before > 0, '--before-context', String(query.before))
  add(query.after > 0, '--after-context', String(query.after))
  add(query.ignoreCase, '--ignore-case')
  add(query.multiline, '--multiline', '--multiline-dotall')
  add(query.literal, '--fixed-strings')
  add(query.pcre, '--pcre2')
  if (query.type) args.push('--type', query.type)
  // A type narrows without touching the ignore rules, which an including --glob would switch off.
  else if (query.glob && !/[/!]/.test(query.glob))
    args.push('--type-add', `tenonglob:${query.glob}`, '--type', 'tenonglob')
  return [...args, '-e', query.pattern, '--']
}

type Text = { readonly text?: string; readonly bytes?: string }
type JsonRecord = {
  readonly type: string
  readonly data: {
    readonly path?: Text
    readonly lines?: Text
    readonly line_number?: number | null
    readonly submatches?: readonly { readonly match: Text; readonly start: number }[]
  }
}

const textOf = (text: Text | undefined): string =>
  text?.text ?? (text?.bytes === undefined ? '' : Buffer.from(text.bytes, 'base64').toString())

function toLines(
  record: string,
  onlyMatching: boolean,
): { readonly path: string; readonly lines: readonly Line[] } | undefined {
  const { type, data }: JsonRecord = JSON.parse(record)
  if (type !== 'match' && type !== 'context') return undefined
  const path = textOf(data.path)
  const first = data.line_number ?? 0
  const matches = data.submatches ?? []
  const isMatch = type === 'match'
  if (onlyMatching) {
    const lines = isMatch ? matches.map(({ match }) => ({ number: first, text: textOf(match), isMatch, at: 0 })) : []
    return { path, lines }
  }
  const text = textOf(data.lines).replace(/\r?\n$/, '')
  const start = matches[0]?.start ?? 0
  // Offsets are bytes; a match over several lines is shown line by line.
  const at = Buffer.from(text).subarray(0, start).toString().length
  return {
    path,
    lines: text.split('\n').map((line, i) => ({ number: first + i, text: line, isMatch, at: i === 0 ? at : 0 })),
  }
}
