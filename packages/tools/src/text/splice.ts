// Writers replace ranges of bytes and copy all else; what they copied is compared before anything is written.
import type { TextView } from './view.ts'

/** A change in a view. `raw` is `insert` with the file's own line endings. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly insert: string
  readonly raw: string
}

/**
 * The file's bytes with the splices applied (in ascending order, not overlapping).
 * @throws Error when a byte outside the splices would change: a bug, and nothing has been written
 */
export function spliceBytes(bytes: Uint8Array, file: TextView, splices: readonly Splice[]): Uint8Array {
  const pieces: Uint8Array[] = []
  const kept: { readonly from: number; readonly to: number }[] = []
  let from = 0
  let place = { text: 0, byte: file.bom ? 3 : 0 }
  const byteAt = (offset: number): number => {
    const text = file.toText(offset)
    place = { text, byte: place.byte + Buffer.byteLength(file.text.slice(place.text, text)) }
    return place.byte
  }
  for (const { start, end, raw } of splices) {
    const to = byteAt(start)
    kept.push({ from, to })
    pieces.push(bytes.subarray(from, to), Buffer.from(raw))
    from = byteAt(end)
  }
  kept.push({ from, to: bytes.length })
  pieces.push(bytes.subarray(from))
  const after = Buffer.concat(pieces)
  verify(bytes, after, kept, splices)
  return after
}

/** Recomputes where every kept range must lie from the texts alone, and compares. */
function verify(
  before: Uint8Array,
  after: Uint8Array,
  kept: readonly { readonly from: number; readonly to: number }[],
  splices: readonly Splice[],
): void {
  let at = 0
  for (const [i, { from, to }] of kept.entries()) {
    const same = from <= to && Buffer.compare(before.subarray(from, to), after.subarray(at, at + to - from)) === 0
    if (!same) throw new Error(`Splice ${i} would change bytes outside its range (${from}–${to} of ${before.length}).`)
    at += to - from + Buffer.byteLength(splices[i]?.raw ?? '')
  }
  if (at !== after.length) throw new Error(`The spliced file has ${after.length} bytes, expected ${at}.`)
}
