// The text of one segment file: its name, its header line, and the framing of one append as one line.
import type { Group } from '@tenon/core'
import type { Envelope, Event, SessionId } from '@tenon/protocol'
import { TenonError, upcast } from '@tenon/protocol'

/** First line of a segment. A segment without it is void until its writer has read the log. */
export interface SegmentHeader {
  readonly tenon: 'log'
  readonly v: 1
  readonly session: SessionId
  /** The segment's own number: the fencing token. */
  readonly token: number
  /** First seq that this segment may hold. */
  readonly from: number
  /** Highest headered segment that the writer had read, 0 for none: the next link of the chain downwards. */
  readonly after: number
}

/** `0001.jsonl` for 1; from 10,000 on the name simply grows. */
export const segmentName = (number: number): string => `${String(number).padStart(4, '0')}.jsonl`

/** The segment numbers among the names of a directory, highest first. */
export const segmentNumbers = (names: readonly string[]): number[] =>
  names
    .flatMap((name) => /^(\d{4,})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((number) => number > 0)
    .sort((a, b) => b - a)

export const encodeHeader = (header: SegmentHeader): Uint8Array => Buffer.from(`${JSON.stringify(header)}\n`)

/**
 * The header in a first line, or `undefined` when the line is none.
 * @throws TenonError `log_newer` for the format of a later Tenon
 */
export function parseHeader(line: string): SegmentHeader | undefined {
  const found = parseJson(line)
  if (!isObject(found) || found.tenon !== 'log' || !Number.isSafeInteger(found.v)) return undefined
  if (found.v !== 1)
    throw new TenonError({
      code: 'log_newer',
      message: `The log has format ${String(found.v)}, this Tenon knows format 1`,
      action: 'Update tenon.',
    })
  const numbers = [found.token, found.from, found.after]
  if (!numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0)) return undefined
  // Every field that is read was checked just above.
  return found as unknown as SegmentHeader
}

/** One append as one line: an object for a single event, an array for a group. Ends with the only LF in it. */
export function encodeLine(group: Group): string {
  const text = JSON.stringify(group.length === 1 ? group[0] : group)
  // JSON.stringify escapes controls and lone surrogates; these three would split lines in other people's tools.
  const safe = separators.test(text) ? text.replace(allSeparators, toEscape) : text
  return `${safe}\n`
}
const separators = /[\u0085\u2028\u2029]/
const allSeparators = /[\u0085\u2028\u2029]/g
const toEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The group in a line, events in their newest shape, or `undefined` when the line is no whole record. */
export function parseLine(line: string): Group | undefined {
  const found = parseJson(line)
  if (!Array.isArray(found)) return isEvent(found) ? [upcast(found)] : undefined
  const group: Event[] = []
  for (const item of found) {
    if (!isEvent(item) || (group.length > 0 && item.seq !== (group.at(-1)?.seq ?? 0) + 1)) return undefined
    group.push(upcast(item))
  }
  return group.length > 0 ? group : undefined
}

/**
 * The longest suffix of a bad line that is a whole record: what was written again after a failed write left half a
 * record (or, after a power cut, zeros) before it.
 */
export function salvage(line: string): { readonly group: Group; readonly at: number } | undefined {
  for (const match of line.matchAll(/\[(?=\{")|\{(?=")/g)) {
    const group = match.index > 0 ? parseLine(line.slice(match.index)) : undefined
    if (group) return { group, at: match.index }
  }
  return undefined
}

function isEvent(value: unknown): value is Envelope {
  return (
    isObject(value) &&
    Number.isSafeInteger(value.seq) &&
    Number(value.seq) >= 0 &&
    typeof value.id === 'string' &&
    typeof value.type === 'string'
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
