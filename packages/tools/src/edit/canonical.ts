// Pass 1, second half: equal after NFC and after folding quotes, dashes, special blanks and full-width ASCII.
import type { Match, Needle } from './needle.ts'

const ascii = /^[\x00-\x7f]*$/

const folds: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
]

/** A character with its combining marks, or Hangul letters that compose: NFC never joins across these. */
const cluster = /\r?[^\p{M}\u1160-\u11ff](?:[\p{M}\u1160-\u11ff])*|[\p{M}\u1160-\u11ff]+/gu

const clusters = (text: string): readonly string[] => text.match(cluster) ?? []

/** One line as it is compared. */
function canonicalLine(line: string): string {
  if (ascii.test(line)) return line
  let out = line.normalize('NFC')
  for (const [from, to] of folds) out = out.replace(from, to)
  return out.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

/** Nothing to do when both texts are ASCII: then exact would have found it. */
export function findCanonical(view: string, needle: Needle): readonly Match[] {
  const old = needle.old.split('\n').map(canonicalLine).join('\n')
  if (ascii.test(view) && old === needle.old) return []
  const lines = view.split('\n')
  const folded = lines.map(canonicalLine)
  const haystack = folded.join('\n')
  const rawStarts = startsOf(lines)
  const foldedStarts = startsOf(folded)
  const toView = (offset: number): number | undefined => {
    const line = lastAtMost(foldedStarts, offset)
    const column = rawColumn(lines[line] ?? '', folded[line] ?? '', offset - (foldedStarts[line] ?? 0))
    return column === undefined ? undefined : (rawStarts[line] ?? 0) + column
  }
  const matches: Match[] = []
  for (let at = haystack.indexOf(old); at >= 0; at = haystack.indexOf(old, at + 1)) {
    const start = toView(at)
    const end = toView(at + old.length)
    if (start !== undefined && end !== undefined) matches.push({ start, end, ...needle, fit: (line) => line })
  }
  return matches
}

/** Column in the raw line of a column in its folded form; `undefined` inside a character. */
function rawColumn(raw: string, folded: string, column: number): number | undefined {
  if (raw === folded) return column
  let from = 0
  let at = 0
  for (const part of clusters(raw)) {
    if (at >= column) break
    at += canonicalLine(part).length
    from += part.length
  }
  return at === column ? from : undefined
}

function startsOf(lines: readonly string[]): readonly number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle
  }
  return low
}

/**
 * A changed line on a line that only canonically equals what the model sent: what the model did not change keeps the
 * file's own characters.
 */
export function keepFileCharacters(fileLine: string, oldLine: string, newLine: string): string {
  if (fileLine === oldLine) return newLine
  const [file, old, fresh] = [clusters(fileLine), clusters(oldLine), clusters(newLine)]
  if (file.length !== old.length) return newLine
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++
  return [...file.slice(0, head), ...fresh.slice(head, fresh.length - tail), ...file.slice(file.length - tail)].join('')
}
