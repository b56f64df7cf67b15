// Takes single lines out of a segment file by their spans: neighbours share one read.
import type { Group } from '@tenon/core'
import type { Disk } from './disk/disk.ts'
import type { Segment } from './scan.ts'
import { parseLine } from './segment.ts'
import type { Span } from './seq-index.ts'

const longestRead = 1 << 17
/** Reading over this many unwanted bytes is cheaper than a second read. */
const shortestSkip = 4096

/** The spans of the lines that hold seqs `from ≤ seq < until`, each once, in order of seq. */
export function spansBetween(segment: Segment, from: number, until: number): readonly Span[] {
  const index = segment.index()
  const spans: Span[] = []
  for (let seq = Math.max(from, index.base); seq < Math.min(until, index.end()); seq++) {
    const span = index.get(seq)
    if (span && span.offset !== spans.at(-1)?.offset) spans.push(span)
  }
  return spans
}

/** The groups in these lines of a segment, in the order of the spans; `undefined` for a line that changed since. */
export async function readSpans(disk: Disk, path: string, spans: readonly Span[]): Promise<(Group | undefined)[]> {
  const groups: (Group | undefined)[] = []
  for (let first = 0; first < spans.length; ) {
    const start = spans[first]?.offset ?? 0
    let last = first
    let end = start + (spans[first]?.length ?? 0)
    for (let next = spans[last + 1]; next; next = spans[last + 1]) {
      const nextEnd = next.offset + next.length
      if (next.offset < end || next.offset > end + shortestSkip || nextEnd - start > longestRead) break
      end = nextEnd
      last++
    }
    const bytes = await disk.read(path, start, end - start)
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const { offset, length } of spans.slice(first, last + 1))
      groups.push(parseLine(buffer.toString('utf8', offset - start, offset - start + length)))
    first = last + 1
  }
  return groups
}
