// A match → splices: old and new text are compared by lines; lines that both have keep the file's bytes.
import { diffLines } from '../text/diff.ts'
import type { Splice } from '../text/splice.ts'
import type { TextView } from '../text/view.ts'
import { keepFileCharacters } from './canonical.ts'
import type { Match } from './needle.ts'

/** One line of the match: its place in the view and its text in file and needle, without endings. */
type Row = { readonly start: number; readonly end: number; readonly file: string; readonly old: string }

/** Ascending, not overlapping. */
export function toSplices(file: TextView, match: Match): readonly Splice[] {
  const rows = toRows(file.view, match)
  const splices: Splice[] = []
  let at = 0
  let run: { from: number; fresh: string[] } | undefined
  const close = (): void => {
    if (run)
      splices.push(toSplice(file, match, rows.slice(run.from, at), rows[run.from]?.start ?? match.end, run.fresh))
    run = undefined
  }
  for (const { kind, line } of diffLines(withEndings(match.old), withEndings(match.new))) {
    if (kind === ' ') {
      close()
      at++
      continue
    }
    run ??= { from: at, fresh: [] }
    if (kind === '-') at++
    else run.fresh.push(line)
  }
  close()
  return splices
}

function toRows(view: string, match: Match): readonly Row[] {
  const old = match.old.split('\n')
  let at = match.start
  return view
    .slice(match.start, match.end)
    .split('\n')
    .map((file, i) => {
      const start = at
      at = Math.min(match.end, at + file.length + 1)
      return { start, end: at, file, old: old[i] ?? '' }
    })
}

/** Lines with their LF; the last one without, so that "ends here" and "goes on" differ. */
const withEndings = (text: string): readonly string[] => text.split(/(?<=\n)/)

function toSplice(
  file: TextView,
  match: Match,
  replaced: readonly Row[],
  start: number,
  fresh: readonly string[],
): Splice {
  let insert = ''
  let raw = ''
  let ending = start > 0 ? file.endingAt(start - 1) : undefined
  for (const [i, line] of fresh.entries()) {
    const bare = line.replace(/\n$/, '')
    const row = replaced[i]
    const text = row && row.old === bare ? row.file : fitted(match, row, bare)
    // The ending of the line it replaces, else of the one before, else of the next, else the usual one.
    ending = (row && file.endingAt(row.start)) ?? ending ?? file.endingAt(start) ?? file.dominant
    insert += text + (line === bare ? '' : '\n')
    raw += text + (line === bare ? '' : ending)
  }
  return { start, end: replaced.at(-1)?.end ?? start, insert, raw }
}

function fitted(match: Match, row: Row | undefined, line: string): string {
  const text = match.fit(line)
  if (text === undefined) throw new Error('A match was taken whose new lines do not fit.')
  return row ? keepFileCharacters(row.file, row.old, text) : text
}
