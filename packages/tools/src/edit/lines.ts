// Passes 2 and 3: whole lines that are equal but for trailing blanks, or but for one steady shift of the indentation.
import { fitIndentation, indentOf } from './indentation.ts'
import type { Match, Needle } from './needle.ts'

type Test = 'trailing' | 'indentation'

const trimEnd = (line: string): string => line.replace(/[ \t]+$/, '')
const trimBoth = (line: string): string => line.replace(/^[ \t]+|[ \t]+$/g, '')

export function findByLines(view: string, needle: Needle, test: Test): readonly Match[] {
  const lines = view.split('\n')
  // What follows the last LF is a line only if something stands there.
  const total = view.endsWith('\n') || view === '' ? lines.length - 1 : lines.length
  const trim = test === 'trailing' ? trimEnd : trimBoth
  const old = needle.old.split('\n')
  const ended = old.at(-1) === ''
  const wanted = (ended ? old.slice(0, -1) : old).map(trim)
  const anchor = wanted.findIndex((line) => line !== '')
  if (anchor < 0) return []
  const matches: Match[] = []
  let start = 0
  for (let at = 0; at + wanted.length <= total; at++) {
    if (
      trim(lines[at + anchor] ?? '') === wanted[anchor] &&
      wanted.every((line, i) => trim(lines[at + i] ?? '') === line)
    ) {
      const match = toMatch(lines.slice(at, at + wanted.length), start, view.length, needle, ended, test)
      if (match) matches.push(match)
    }
    start += (lines[at]?.length ?? 0) + 1
  }
  return matches
}

function toMatch(
  found: readonly string[],
  start: number,
  length: number,
  needle: Needle,
  ended: boolean,
  test: Test,
): Match | undefined {
  const size = found.reduce((sum, line) => sum + line.length + 1, 0) - 1
  // The file's last line has no ending: the needle's is not the file's, so neither side gets one.
  const atEnd = ended && start + size === length
  const old = atEnd ? needle.old.slice(0, -1) : needle.old
  const fresh = atEnd && needle.new.endsWith('\n') ? needle.new.slice(0, -1) : needle.new
  const end = start + size + (ended && !atEnd ? 1 : 0)
  if (test === 'trailing') return { start, end, old, new: fresh, fit: (line) => line }
  const fit = fitIndentation(pairsOf(found, old))
  if (!fit || fresh.split('\n').some((line) => line.trim() !== '' && fit(indentOf(line)) === undefined))
    return undefined
  return { start, end, old, new: fresh, fit: (line) => shift(line, fit) }
}

const pairsOf = (found: readonly string[], old: string): readonly { old: string; file: string }[] => {
  const lines = old.split('\n')
  return found.flatMap((line, i) =>
    line.trim() === '' ? [] : [{ old: indentOf(lines[i] ?? ''), file: indentOf(line) }],
  )
}

function shift(line: string, fit: (indent: string) => string | undefined): string | undefined {
  if (line.trim() === '') return ''
  const indent = indentOf(line)
  const fitted = fit(indent)
  return fitted === undefined ? undefined : fitted + line.slice(indent.length)
}
