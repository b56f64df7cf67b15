// Finds the place of an edit. The first pass with a candidate decides; several candidates are ambiguous, never a looser pass.
import { findCanonical } from './canonical.ts'
import { findByLines } from './lines.ts'
import type { Match, Needle } from './needle.ts'

export type Pass = 'exact' | 'canonical' | 'trailing blanks' | 'indentation'

export interface Found {
  readonly pass: Pass
  readonly matches: readonly Match[]
}

/** Fewest characters that are not blank, below which only exact text is looked for. */
const fewest = 5

/** All candidates of the first pass that has any. */
export function findMatches(view: string, needle: Needle): Found {
  const exact = findExact(view, needle)
  if (exact.length) return { pass: 'exact', matches: exact }
  const canonical = findCanonical(view, needle)
  if (canonical.length || needle.old.replace(/\s/g, '').length < fewest)
    return { pass: 'canonical', matches: canonical }
  const trimmed = findByLines(view, needle, 'trailing')
  if (trimmed.length) return { pass: 'trailing blanks', matches: trimmed }
  return { pass: 'indentation', matches: findByLines(view, needle, 'indentation') }
}

/** Every occurrence, overlapping ones too: they are ambiguous as well. */
export function findExact(view: string, needle: Needle): readonly Match[] {
  const matches: Match[] = []
  for (let at = view.indexOf(needle.old); at >= 0; at = view.indexOf(needle.old, at + 1))
    matches.push({ start: at, end: at + needle.old.length, ...needle, fit: (line) => line })
  return matches
}

/** Left to right, none over another: what replace_all replaces. */
export function withoutOverlap(matches: readonly Match[]): readonly Match[] {
  let end = 0
  return matches.filter((match) => {
    if (match.start < end) return false
    end = match.end
    return true
  })
}
