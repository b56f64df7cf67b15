// Unified diffs from known changes: only the changed regions are compared, so a large file costs no more than a small one.
import { diffArrays } from 'diff'
import type { Splice } from './splice.ts'

export interface Diff {
  /** Hunks as far as `limit` allowed, with one line that says what is missing. */
  readonly text: string
  readonly added: number
  readonly removed: number
}

export interface Change {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** Lines of context around a change. */
const context = 3
/** Edits after which two texts count as wholly different. */
const maxEdits = 4000

/** How `before` became `after`, item by item. Equal items are those of `before`. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly Change[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits })
  if (!parts)
    return [
      ...before.map((line) => ({ kind: '-' as const, line })),
      ...after.map((line) => ({ kind: '+' as const, line })),
    ]
  return parts.flatMap((part) => {
    const kind = part.added ? '+' : part.removed ? '-' : ' '
    return part.value.map((line) => ({ kind, line }) as const)
  })
}

/** @param limit characters of `text` */
export function unifiedDiff(view: string, splices: readonly Splice[], limit: number): Diff {
  const hunks: string[] = []
  let size = 0
  let left = 0
  let added = 0
  let removed = 0
  let line = 1
  let counted = 0
  for (const group of groupNear(view, splices)) {
    for (let at = view.indexOf('\n', counted); at >= 0 && at < group.start; at = view.indexOf('\n', at + 1)) line++
    counted = group.start
    const changes = diffLines(toLines(view.slice(group.start, group.end)), toLines(group.after))
    const shift = added - removed
    added += changes.filter(({ kind }) => kind === '+').length
    removed += changes.filter(({ kind }) => kind === '-').length
    const hunk = hunkText(changes, line, line + shift)
    if (size + hunk.length > limit && hunks.length > 0) left++
    else hunks.push(hunk.length > limit ? cutHunk(hunk, limit) : hunk)
    size += hunk.length
  }
  if (left > 0) hunks.push(`[${left} more hunks not shown]`)
  return { text: hunks.join('\n'), added, removed }
}

/** The change from one text to another as a splice: what lies between their common ends. */
export function spliceBetween(before: string, after: string): Splice {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let tail = 0
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  const insert = after.slice(start, after.length - tail)
  return { start, end: before.length - tail, insert, raw: insert }
}

type Region = { start: number; end: number; after: string }

/** Whole lines around each splice, with context; regions that touch are one. */
function groupNear(view: string, splices: readonly Splice[]): readonly Region[] {
  const groups: { start: number; end: number; splices: Splice[] }[] = []
  for (const splice of splices) {
    const start = back(view, splice.start, context)
    const end = forward(view, splice.end, context)
    const last = groups.at(-1)
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end)
      last.splices.push(splice)
    } else groups.push({ start, end, splices: [splice] })
  }
  return groups.map(({ start, end, splices: inside }) => {
    let after = ''
    let from = start
    for (const splice of inside) {
      after += view.slice(from, splice.start) + splice.insert
      from = splice.end
    }
    return { start, end, after: after + view.slice(from, end) }
  })
}

function back(view: string, offset: number, lines: number): number {
  let at = view.lastIndexOf('\n', offset - 1)
  if (offset === 0) at = -1
  for (let i = 0; i < lines && at > 0; i++) at = view.lastIndexOf('\n', at - 1)
  return at + 1
}

function forward(view: string, offset: number, lines: number): number {
  let at = offset > 0 && view[offset - 1] === '\n' ? offset - 1 : view.indexOf('\n', offset)
  for (let i = 0; i < lines && at >= 0; i++) at = view.indexOf('\n', at + 1)
  return at < 0 ? view.length : at + 1
}

/** Each with its ending, so that a missing final one is a difference. */
const toLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function hunkText(changes: readonly Change[], oldLine: number, newLine: number): string {
  const first = changes.findIndex(({ kind }) => kind !== ' ')
  const last = changes.findLastIndex(({ kind }) => kind !== ' ')
  const from = Math.max(0, first - context)
  const shown = changes.slice(from, last + 1 + context)
  const olds = shown.filter(({ kind }) => kind !== '+').length
  const news = shown.filter(({ kind }) => kind !== '-').length
  const lines = shown.map(({ kind, line }) =>
    line.endsWith('\n') ? kind + line.slice(0, -1) : `${kind}${line}\n\\ No newline at end of file`,
  )
  return [`@@ -${oldLine + from},${olds} +${newLine + from},${news} @@`, ...lines].join('\n')
}

function cutHunk(hunk: string, limit: number): string {
  const lines = hunk.split('\n')
  let size = 0
  const shown = lines.filter((line) => {
    size += line.length + 1
    return size <= limit
  })
  return [
    ...shown.map((line) => line.slice(0, limit)),
    `[${lines.length - shown.length} more lines of this change not shown]`,
  ].join('\n')
}
