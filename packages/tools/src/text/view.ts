// A file's text as the model sees it: no BOM, every line ending as LF, with the way back to the file's own text.

export type Ending = '\n' | '\r\n' | '\r'
export type Eol = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'

export interface TextView {
  /** As decoded, without BOM. */
  readonly text: string
  readonly bom: boolean
  /** Line endings as LF. Equal to `text` when the file has no CR. */
  readonly view: string
  readonly eol: Eol
  /** The most frequent ending; LF where there is none. */
  readonly dominant: Ending
  /** Offset in `view` → offset in `text`. */
  toText(offset: number): number
  /** The ending of the line that holds this offset of `view`; `undefined` on a last line without one. */
  endingAt(offset: number): Ending | undefined
}

/** @param bytes valid UTF-8 */
export function toView(bytes: Uint8Array): TextView {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bom ? bytes.subarray(3) : bytes)
  if (!text.includes('\r')) return plainView(text, bom)
  const breaks = [...text.matchAll(/\r\n?|\n/g)].map((match) => ({ at: match.index, ending: match[0] as Ending }))
  /** Offset in `view` of each ending. */
  const places: number[] = []
  let dropped = 0
  for (const { at, ending } of breaks) {
    places.push(at - dropped)
    dropped += ending.length - 1
  }
  /** How many endings lie before an offset of the view. */
  const before = (offset: number): number => lowerBound(places, offset)
  const { eol, dominant } = tally(breaks.map(({ ending }) => ending))
  return {
    text,
    bom,
    eol,
    dominant,
    view: text.replace(/\r\n?/g, '\n'),
    toText: (offset) => {
      const last = breaks[before(offset) - 1]
      if (!last) return offset
      return last.at + last.ending.length + (offset - (places[before(offset) - 1] ?? 0) - 1)
    },
    endingAt: (offset) => breaks[before(offset)]?.ending,
  }
}

function plainView(text: string, bom: boolean): TextView {
  const some = text.includes('\n')
  return {
    text,
    bom,
    view: text,
    eol: some ? 'lf' : 'none',
    dominant: '\n',
    toText: (offset) => offset,
    endingAt: (offset) => (text.indexOf('\n', offset) >= 0 ? '\n' : undefined),
  }
}

/** First index whose value is not below `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function tally(endings: readonly Ending[]): { readonly eol: Eol; readonly dominant: Ending } {
  const counts = new Map<Ending, number>([['\n', 0]])
  for (const ending of endings) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  const [dominant] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))
  const used = [...counts].filter(([, times]) => times > 0).length
  const names = { '\n': 'lf', '\r\n': 'crlf', '\r': 'cr' } as const
  return { dominant, eol: used > 1 ? 'mixed' : used === 1 ? names[dominant] : 'none' }
}

/** Which endings a text has. */
export const eolOf = (text: string): Eol => tally((text.match(/\r\n?|\n/g) ?? []) as Ending[]).eol

/** Lines as a person counts them: a final ending does not open another line. */
export const countLines = (text: string): number =>
  text === '' ? 0 : (text.match(/\r\n?|\n/g)?.length ?? 0) + (/[\r\n]$/.test(text) ? 0 : 1)
