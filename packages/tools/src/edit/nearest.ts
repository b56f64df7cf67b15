// What a model needs when its text was not found: the regions that are most like it and the first difference in words.
import { type Budget, similarity } from '../text/similar.ts'
import { findExact } from './match.ts'

/** Work for one refusal. */
const cells = 4_000_000
const maxCandidates = 50
const maxLines = 400
const least = 0.5
const smallFile = 500

interface Region {
  /** 0-based first line. */
  readonly line: number
  readonly score: number
}

/** A text for the model; empty when nothing is at least half alike. */
export function describeNearest(view: string, old: string): string {
  const lines = view.split('\n')
  const wanted = old.replace(/\n$/, '').split('\n').slice(0, maxLines)
  const regions = nearestRegions(lines, wanted)
  const [best] = regions
  if (!best) return ''
  const shown = regions.map(
    ({ line, score }) =>
      `${showLines(lines, line - 2, line + wanted.length + 2)}\n(${Math.round(score * 100)} % alike)`,
  )
  return `${firstDifference(lines, wanted, best.line)}\nNearest text in the file:\n${shown.join('\n…\n')}`
}

/** Lines `from` to `to` (0-based, end excluded) with numbers as Read shows them. */
function showLines(lines: readonly string[], from: number, to: number): string {
  const first = Math.max(0, from)
  return lines
    .slice(first, Math.min(to, first + 40))
    .map((line, i) => `${String(first + i + 1).padStart(6)}→${line.length > 300 ? `${line.slice(0, 300)}…` : line}`)
    .join('\n')
}

const fold = (line: string): string => line.trim().replace(/[ \t]+/g, ' ')

function nearestRegions(lines: readonly string[], wanted: readonly string[]): readonly Region[] {
  const budget: Budget = { cells }
  const folded = wanted.map(fold)
  const scored = candidates(lines, folded)
    .map((line) => ({ line, score: scoreAt(lines, folded, line, budget) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score || a.line - b.line)
  const taken: Region[] = []
  for (const region of scored)
    if (taken.length < 3 && taken.every((other) => Math.abs(other.line - region.line) >= wanted.length))
      taken.push(region)
  return taken
}

/** First lines that share the most words with the needle; each shared word votes for where the needle would start. */
function candidates(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const words = new Map<string, number[]>()
  for (const [i, line] of wanted.entries())
    for (const word of new Set(line.match(/[\p{L}\p{N}_]{2,}|[^\s\p{L}\p{N}_]{2,}/gu) ?? []))
      words.set(word, [...(words.get(word) ?? []), i])
  const votes = new Map<number, number>()
  for (const [at, line] of lines.entries()) {
    if (line.length > 4000) continue
    for (const word of new Set(line.match(/[\p{L}\p{N}_]{2,}|[^\s\p{L}\p{N}_]{2,}/gu) ?? []))
      for (const i of words.get(word)?.slice(0, 8) ?? [])
        if (at >= i) votes.set(at - i, (votes.get(at - i) ?? 0) + word.length)
  }
  // Too short for words in common: a small file is compared line by line.
  if (votes.size === 0) return lines.length <= smallFile ? lines.map((_, at) => at) : []
  return [...votes]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, maxCandidates)
    .map(([line]) => line)
}

/** Likeness of the lines from `at` on, weighted by length. */
function scoreAt(lines: readonly string[], wanted: readonly string[], at: number, budget: Budget): number {
  let sum = 0
  let weight = 0
  for (const [i, line] of wanted.entries()) {
    const other = fold(lines[at + i] ?? '')
    const size = Math.max(line.length, other.length)
    weight += size
    sum += size * similarity(line, other, budget)
  }
  return weight === 0 ? 0 : sum / weight
}

function firstDifference(lines: readonly string[], wanted: readonly string[], at: number): string {
  for (const [i, sent] of wanted.entries()) {
    const line = lines[at + i]
    if (line === undefined)
      return `The file ends before line ${at + i + 1}; you sent ${JSON.stringify(sent.slice(0, 80))}.`
    if (line === sent || (i === 0 && line.endsWith(sent)) || (i === wanted.length - 1 && line.startsWith(sent)))
      continue
    let column = 0
    while (column < line.length && line[column] === sent[column]) column++
    return `First difference: line ${at + i + 1} column ${column + 1}: the file has ${inWords(line, column)}, you sent ${inWords(sent, column)}.`
  }
  return 'The lines are alike; the text differs in where it starts or ends.'
}

function inWords(line: string, column: number): string {
  const rest = line.slice(column)
  if (rest === '') return 'the end of the line'
  const blanks = /^(?: +|\t+)/.exec(rest)?.[0]
  if (blanks)
    return blanks.startsWith('\t')
      ? blanks.length === 1
        ? 'a tab'
        : `${blanks.length} tabs`
      : blanks.length === 1
        ? 'a blank'
        : `${blanks.length} blanks`
  return JSON.stringify(rest.slice(0, 40))
}

/** Where several candidates stand, at most ten, each with the line above it. */
export function describePlaces(view: string, offsets: readonly number[]): string {
  const lines = view.split('\n')
  let line = 0
  let at = 0
  return offsets
    .slice(0, 10)
    .map((offset) => {
      for (let next = view.indexOf('\n', at); next >= 0 && next < offset; next = view.indexOf('\n', at)) {
        line++
        at = next + 1
      }
      return showLines(lines, line - 1, line + 1)
    })
    .join('\n…\n')
}

/** The line at which the new text already stands, when it says enough to tell. */
export function alreadyThere(view: string, fresh: string): number | undefined {
  if (fresh.trim().length < 10) return undefined
  const at = findExact(view, { old: fresh, new: fresh })[0]?.start
  return at === undefined ? undefined : view.slice(0, at).split('\n').length
}
