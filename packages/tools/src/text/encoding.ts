// Which encoding bytes are in. Only UTF-8 (with or without BOM) is read and written; the rest is named and refused.
import { isUtf8 } from 'node:buffer'

export type Detected =
  | { readonly type: 'utf8'; readonly bom: boolean }
  /** Text that cannot be shown or written yet; `where` says which bytes prove it. */
  | { readonly type: 'other'; readonly name: string; readonly where: string }
  | { readonly type: 'binary' }

const boms: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
]

/** Bytes of the head that are enough to tell text from binary. */
const headLength = 8192

/** Order: BOM, NUL pattern of UTF-16, binary, strict UTF-8. `head` may be the first part of a file; then `whole` is false. */
export function detectEncoding(bytes: Uint8Array, whole = true): Detected {
  if (hasBom(bytes)) return utf8(bytes, whole, true)
  const marked = boms.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))
  if (marked) return { type: 'other', name: marked[0], where: 'its byte order mark' }
  const head = bytes.subarray(0, headLength)
  const wide = wideName(head)
  if (wide) return { type: 'other', name: `${wide} without byte order mark`, where: 'its pattern of NUL bytes' }
  if (isBinary(head)) return { type: 'binary' }
  return utf8(bytes, whole, false)
}

const hasBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

function utf8(bytes: Uint8Array, whole: boolean, bom: boolean): Detected {
  const checked = whole ? bytes : bytes.subarray(0, lastBoundary(bytes))
  if (isUtf8(checked)) return { type: 'utf8', bom }
  return {
    type: 'other',
    name: 'not UTF-8 (perhaps Latin-1, Windows-1252, GBK or Shift_JIS)',
    where: strayByte(checked),
  }
}

/** Where the last whole character ends, for a head that may be cut inside one. */
function lastBoundary(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** The first byte that is not UTF-8, as `byte 0x99 in line 999`. */
function strayByte(bytes: Uint8Array): string {
  let line = 1
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === 10) line++
    if (byte < 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    if (!isUtf8(bytes.subarray(i, i + length))) return `byte 0x${byte.toString(16)} in line ${line}`
    i += length - 1
  }
  return 'its last byte'
}

function wideName(head: Uint8Array): string | undefined {
  const pairs = head.length >> 1
  if (pairs < 4) return undefined
  let even = 0
  let odd = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (head[i] === 0) even++
    if (head[i + 1] === 0) odd++
  }
  if (odd >= pairs * 0.9 && even < pairs * 0.1) return 'UTF-16LE'
  if (even >= pairs * 0.9 && odd < pairs * 0.1) return 'UTF-16BE'
  return undefined
}

/** A NUL, or more than a tenth control characters. */
function isBinary(head: Uint8Array): boolean {
  let controls = 0
  for (const byte of head) {
    if (byte === 0) return true
    if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) controls++
  }
  return controls > head.length / 10
}
