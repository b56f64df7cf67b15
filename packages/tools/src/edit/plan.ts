// Decides an edit on a loaded file without writing: the splices, or the refusal with what the model needs to correct it.
import type { ToolResult } from '@tenon/core'
import type { ErrorCode } from '@tenon/protocol'
import { fitsOneRead } from '../file/stale.ts'
import { fail } from '../result.ts'
import type { Splice } from '../text/splice.ts'
import type { TextView } from '../text/view.ts'
import { findMatches, type Pass, withoutOverlap } from './match.ts'
import { alreadyThere, describeNearest, describePlaces } from './nearest.ts'
import type { Match } from './needle.ts'
import { toSplices } from './replace.ts'

export interface EditInput {
  readonly old_string: string
  readonly new_string: string
  readonly replace_all: boolean
  readonly expected_replacements?: number | undefined
}

export type Plan =
  | { readonly splices: readonly Splice[]; readonly pass: Pass; readonly places: number }
  | { readonly refusal: ToolResult }

/** @param seen the model saw this very content; else only one exact place will do */
export function planEdit(path: string, file: TextView, input: EditInput, seen: boolean): Plan {
  const needle = { old: toLf(input.old_string, file), new: toLf(input.new_string, file) }
  if (needle.old === needle.new)
    return refuse(
      'edit_same',
      `old_string and new_string are equal${input.old_string === input.new_string ? '' : ' but for line endings, which Edit keeps'}.`,
      'Send what should change.',
    )
  const found = findMatches(file.view, needle)
  const places = withoutOverlap(found.matches)
  const all = input.replace_all || (input.expected_replacements ?? 1) > 1
  const expected = input.expected_replacements ?? (all ? places.length : 1)
  // A file too long for one Read can never have been seen whole; it is edited as if it were.
  const known = seen || !fitsOneRead(file.view)
  if (!known && (found.pass !== 'exact' || found.matches.length !== 1))
    return unread(path, file, needle.old, found.matches)
  if (found.matches.length === 0) return noMatch(path, file, needle)
  if ((!all && found.matches.length > 1) || places.length !== expected)
    return ambiguous(path, file, found.matches, input)
  return { splices: places.flatMap((match) => toSplices(file, match)), pass: found.pass, places: places.length }
}

/** CRLF is LF everywhere; a lone CR is an ending only in a file that uses it so. */
const toLf = (text: string, file: TextView): string =>
  text.replace(file.eol === 'cr' || (file.eol === 'mixed' && /\r(?!\n)/.test(file.text)) ? /\r\n?/g : /\r\n/g, '\n')

const refuse = (code: ErrorCode, message: string, next: string, more = ''): Plan => ({
  refusal: fail(code, message, next, more),
})

function unread(path: string, file: TextView, old: string, matches: readonly Match[]): Plan {
  const why = matches.length > 1 ? `stands there ${matches.length} times` : 'does not stand there exactly'
  return refuse(
    'edit_unread',
    `You have not seen ${path} as it is now, and old_string ${why}.`,
    'Read it first.',
    matches.length > 1 ? describePlaces(file.view, offsets(matches)) : describeNearest(file.view, old),
  )
}

function ambiguous(path: string, file: TextView, matches: readonly Match[], input: EditInput): Plan {
  const wanted = input.expected_replacements ? `, expected ${input.expected_replacements}` : ''
  return refuse(
    'edit_ambiguous',
    `old_string stands ${matches.length === 1 ? 'once' : `${matches.length} times`} in ${path}${wanted}. Nothing was written.`,
    'Add lines around it so that it names one place, or set replace_all.',
    `Places (with the line above${matches.length > 10 ? ', first 10' : ''}):\n${describePlaces(file.view, offsets(matches))}`,
  )
}

function noMatch(path: string, file: TextView, needle: { readonly old: string; readonly new: string }): Plan {
  const there = alreadyThere(file.view, needle.new)
  const done = there === undefined ? '' : ` new_string stands already at line ${there}.`
  return refuse(
    'edit_no_match',
    `old_string was not found in ${path}.${done} Nothing was written.`,
    there === undefined
      ? 'Copy the text from the file as shown, without line numbers, and send it again.'
      : 'Check whether the change is already made.',
    describeNearest(file.view, needle.old),
  )
}

const offsets = (matches: readonly Match[]): readonly number[] => matches.map(({ start }) => start)
