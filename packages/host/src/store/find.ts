// Which session a person means: its id, the start of it, its exact title, or `last`.
import type { SessionSummary } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import type { SessionPlace } from './layout.ts'

/** Shortest part of an id, after `ses_`, that is taken for a prefix. */
const shortestPrefix = 4
const shown = 5

/** `undefined` when ids alone do not tell; then titles have to be looked at. @throws TenonError `ambiguous_session` */
export function findById(text: string, places: readonly SessionPlace[]): SessionPlace | undefined {
  const exact = places.find(({ id }) => id === text)
  if (exact) return exact
  const bare = text.replace(/^ses_/, '')
  if (bare.length < shortestPrefix) return undefined
  const found = places.filter(({ id }) => id.startsWith(`ses_${bare}`))
  if (found.length > 1)
    throw ambiguous(
      text,
      found.map(({ id }) => id),
    )
  return found[0]
}

/** @throws TenonError `unknown_session` naming near ones, `ambiguous_session` listing those that match */
export function findByTitle(text: string, rows: readonly SessionSummary[]): SessionSummary {
  const newest = [...rows].sort(newestFirst)
  const found = text === 'last' ? newest.slice(0, 1) : newest.filter(({ title }) => title === text)
  const [one] = found
  if (one && found.length === 1) return one
  throw one ? ambiguous(text, found.map(toName)) : unknown(text, newest)
}

/** Later change first; equal times by id, so that an order never changes by itself. */
export const newestFirst = (a: SessionSummary, b: SessionSummary): number =>
  timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1)

export const timeOf = ({ updatedAt, openedAt }: SessionSummary): number => updatedAt ?? openedAt

const toName = ({ id, title }: SessionSummary): string => (title ? `${id} "${title}"` : id)

function ambiguous(text: string, names: readonly string[]): TenonError {
  const list = names.slice(0, shown).join(', ') + (names.length > shown ? `, and ${names.length - shown} more` : '')
  return new TenonError(
    {
      code: 'ambiguous_session',
      message: `"${text}" fits ${names.length} sessions: ${list}`,
      action: 'Give more of the id.',
    },
    { matches: names },
  )
}

function unknown(text: string, rows: readonly SessionSummary[]): TenonError {
  const near = nearest(text, rows).map(toName)
  return new TenonError(
    {
      code: 'unknown_session',
      message: `There is no session "${text}"${near.length > 0 ? `; near it: ${near.join(', ')}` : ''}`,
      action: 'See `tenon session list --all`.',
    },
    { near },
  )
}

/** Rows that share most with the text, newest first among equals; of those that share nothing, none. */
function nearest(text: string, rows: readonly SessionSummary[]): readonly SessionSummary[] {
  const wanted = text.toLowerCase().replace(/^ses_/, '')
  const score = ({ id, title }: SessionSummary) =>
    Math.max(sharedStart(wanted, id.slice(4)), title?.toLowerCase().includes(wanted) ? wanted.length : 0)
  return rows
    .map((row) => ({ row, score: score(row) }))
    .filter((item) => item.score >= 3)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ row }) => row)
}

function sharedStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
