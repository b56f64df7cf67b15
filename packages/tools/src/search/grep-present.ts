// Results of Grep as text: newest file first, long lines cut around the match, limits that say what is missing.
import type { ToolResult, ToolWorkspace } from '@tenon/core'
import { group, ok } from '../result.ts'
import type { GrepInput } from './grep-input.ts'
import type { Answer, Line, Query } from './grep-query.ts'
import { byFolder, newestFirst, relative } from './scope.ts'

/** Characters of a result. */
const resultLimit = 30_000
/** Characters of one line. */
const lineLimit = 500

export async function presentAnswer(
  workspace: ToolWorkspace,
  input: GrepInput,
  query: Query,
  answer: Answer,
): Promise<ToolResult> {
  const isContent = input.output_mode === 'content'
  const paths = await newestFirst(workspace, [...(isContent ? answer.files : answer.counts).keys()])
  const show = (path: string): string => relative(path, workspace.root)
  const entries = paths.flatMap((path) => {
    if (input.output_mode === 'files_with_matches') return [show(path)]
    if (input.output_mode === 'count') return [`${show(path)}:${answer.counts.get(path)}`]
    return toEntries(show(path), answer.files.get(path) ?? [], input)
  })
  const limit = input.head_limit || entries.length
  const page = entries.slice(input.offset, input.offset + limit)
  const shown = fitting(page)
  const notes = [...limitNotes(input, entries.length, shown.length, paths, query), ...stopNotes(answer, query)]
  return ok([...shown, ...notes].join('\n'), {
    digest: `${group(entries.length)} ${isContent ? 'lines' : 'files'} for ${query.pattern.slice(0, 80)}`,
  })
}

function toEntries(path: string, lines: readonly Line[], input: GrepInput): readonly string[] {
  let last: number | undefined
  return lines.map((line) => {
    const mark = line.isMatch ? ':' : '-'
    // As grep does: a gap between two groups of context.
    const gap =
      last !== undefined && line.number > last + 1 && (input['-A'] ?? input['-B'] ?? input['-C']) ? '--\n' : ''
    last = line.number
    return `${gap}${path}${mark}${input['-n'] ? `${line.number}${mark}` : ''}${cutAround(line)}`
  })
}

function cutAround({ text, at }: Line): string {
  if (text.length <= lineLimit) return text
  const from = Math.max(0, Math.min(at - lineLimit / 4, text.length - lineLimit))
  const end = from + lineLimit
  return `${from > 0 ? `[+${from}]…` : ''}${text.slice(from, end)}${end < text.length ? `…[+${text.length - end}]` : ''}`
}

function fitting(entries: readonly string[]): readonly string[] {
  let size = 0
  const over = entries.findIndex((entry) => {
    size += entry.length + 1
    return size > resultLimit
  })
  return over < 0 ? entries : entries.slice(0, Math.max(1, over))
}

function limitNotes(
  input: GrepInput,
  total: number,
  shown: number,
  paths: readonly string[],
  query: Query,
): readonly string[] {
  if (input.offset >= total && total > 0)
    return [`[${group(total)} entries in all; offset ${input.offset} lies behind them.]`]
  const last = input.offset + shown
  if (last >= total) return []
  return [
    `[entries ${input.offset + 1}–${last} of ${group(total)} in ${group(paths.length)} files; next offset ${last}. By folder: ${byFolder(paths, query.base)}]`,
  ]
}

function stopNotes(answer: Answer, query: Query): readonly string[] {
  if (answer.stopped === 'time')
    return [`[stopped after ${query.timeoutMs / 1000} s: the result is partial. Narrow path or glob.]`]
  return answer.stopped === 'records'
    ? ['[stopped at 50,000 entries: the result is partial. Narrow pattern, path or glob.]']
    : []
}
