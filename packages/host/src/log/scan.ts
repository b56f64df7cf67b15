// Reads one segment file forward, once: what was read is kept as header, index and flaws, never as bodies. Whole lines
// never change, so a later look starts where the last one ended.
import type { Group, LogNotice } from '@tenon/core'
import type { Disk } from './disk/disk.ts'
import type { SegmentHeader } from './segment.ts'
import { parseHeader, parseLine, salvage } from './segment.ts'
import type { SeqIndex, Span } from './seq-index.ts'
import { createSeqIndex } from './seq-index.ts'

const LF = 0x0a
/** A header line is a few ids and numbers. */
const headerBytes = 1024
const defaultChunk = 1 << 17
/** A jump beyond this many missing events is a damaged number, not a gap. */
const longestGap = 100_000

/** A line that is not what its writer wrote; `seq` is what was expected there. */
interface Flaw extends LogNotice {
  readonly seq: number
}

export interface Segment {
  readonly number: number
  readonly path: string
  /** `undefined` until the header line is whole. */
  header(): Pick<SegmentHeader, 'from' | 'after'> | undefined
  /** True when the first line is whole and no header: `from` and `after` are then guesses. */
  headerLost(): boolean
  index(): SeqIndex
  flaws(): readonly Flaw[]
  /** Bytes after the last LF: not acknowledged, or not yet. */
  tail(): Span
  /** The header alone, for who has not read the file yet; `undefined` when it was read, or the first line is not one. */
  peek(): Promise<Pick<SegmentHeader, 'from' | 'after'> | undefined>
  /** Reads on to the end of the file. `keep` gets the groups that were not read before. @returns the index's end then */
  refresh(keep?: (group: Group) => void): Promise<number>
}

export function createSegment(disk: Disk, path: string, number: number, chunk = defaultChunk): Segment {
  let header: Pick<SegmentHeader, 'from' | 'after'> | undefined
  let headerLost = false
  let index = createSeqIndex(0)
  let scanned = 0
  let tailLength = 0
  let lines = 0
  let running: Promise<number> = Promise.resolve(0)
  const flaws: Flaw[] = []
  const place = (byte: number) => `${path}:${lines}:${byte}`

  function takeHeader(text: string): boolean {
    header = parseHeader(text)
    headerLost = !header
    if (header) index = createSeqIndex(header.from)
    else flaws.push({ kind: 'skipped', seq: 0, text: `${path}:1:0: the header line is damaged` })
    return header !== undefined
  }

  function takeLine(text: string, span: Span, keep?: (group: Group) => void): void {
    // Counted after the header is known: one of a newer format throws, and must do so again.
    const isHeader = lines === 0 && takeHeader(text)
    lines++
    if (isHeader) return
    const whole = parseLine(text)
    const found = whole ? { group: whole, at: 0 } : salvage(text)
    const skip = (cause: string) =>
      flaws.push({ kind: 'skipped', seq: index.end(), text: `${place(span.offset)}: ${cause}` })
    if (!found) {
      if (lines > 1) skip('not a whole record; left out')
      return
    }
    const first = found.group[0]?.seq ?? 0
    if (!header) startAt(first)
    if (first > index.end() + longestGap) return void skip(`seq ${first} after ${index.end() - 1}; left out`)
    if (first + found.group.length <= index.base) return
    const skipped = Buffer.byteLength(text.slice(0, found.at))
    const where = { offset: span.offset + skipped, length: span.length - skipped }
    if (!whole) {
      const text = `${place(span.offset)}: ${skipped} bytes before a whole record; left out`
      flaws.push({ kind: 'salvaged', seq: index.end(), text })
    }
    // A record that is known already was written again after a failed sync.
    if (index.add(first, found.group.length, where)) keep?.(found.group)
  }

  /** The header is lost: the first record says where the segment began, and the next lower segment is the likely link. */
  function startAt(seq: number): void {
    header = { from: seq, after: number - 1 }
    index = createSeqIndex(seq)
  }

  /** One decoding for all lines: LF stands alone in UTF-8, so that lines are the same counted in bytes or characters. */
  function takeLines(bytes: Uint8Array, keep?: (group: Group) => void): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const text = buffer.toString('utf8')
    for (let at = 0, from = 0; at < buffer.length; ) {
      const end = buffer.indexOf(LF, at)
      const to = text.indexOf('\n', from)
      takeLine(text.slice(from, to), { offset: scanned + at, length: end - at }, keep)
      at = end + 1
      from = to + 1
    }
  }

  async function scan(keep?: (group: Group) => void): Promise<number> {
    for (let size = chunk; ; ) {
      const bytes = await disk.read(path, scanned, size)
      const whole = bytes.lastIndexOf(LF) + 1
      takeLines(bytes.subarray(0, whole), keep)
      scanned += whole
      tailLength = bytes.length - whole
      if (bytes.length < size) return index.end()
      size = whole > 0 ? chunk : size * 2
    }
  }

  return {
    number,
    path,
    header: () => header,
    headerLost: () => headerLost,
    index: () => index,
    flaws: () => flaws,
    tail: () => ({ offset: scanned, length: tailLength }),
    async peek() {
      if (scanned > 0) return undefined
      const bytes = await disk.read(path, 0, headerBytes)
      const end = bytes.indexOf(LF)
      return end < 0 ? undefined : parseHeader(new TextDecoder().decode(bytes.subarray(0, end)))
    },
    refresh(keep) {
      // One after the other: two readers at once would take the same lines twice.
      running = running.catch(() => 0).then(() => scan(keep))
      return running
    },
  }
}
