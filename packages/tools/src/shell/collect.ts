// Collects a command's output: all of it goes to the sink, its head and tail stay in memory, a flood is noticed.
import type { Output, Process } from '@tenon/core'

/** Bytes kept of each end. */
const half = 512 << 10
/** Bytes after which a command is flooding. */
export const floodLimit = 256 << 20

export interface Collected {
  readonly head: Buffer
  /** Follows `head` directly when `gap` is 0. */
  readonly tail: Buffer
  /** Bytes between head and tail that are not here. */
  readonly gap: number
  readonly bytes: number
  /** Line endings (LF, CR LF or CR) of the whole. */
  readonly breaks: number
  readonly flooded: boolean
}

/** Reads until the output ends or floods; then the caller kills. */
export async function collect(process: Process, output: Output, limit = floodLimit): Promise<Collected> {
  const ends = new Ends()
  const counter = new BreakCounter()
  for await (const { chunk, stream } of process.output) {
    await output.write(chunk, stream)
    ends.push(chunk)
    counter.push(chunk)
    if (ends.bytes > limit) return ends.result(counter.breaks, true)
  }
  return ends.result(counter.breaks, false)
}

class Ends {
  bytes = 0
  private readonly head: Uint8Array[] = []
  private headSize = 0
  private tail: Uint8Array[] = []
  private tailSize = 0

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length
    const room = Math.min(half - this.headSize, chunk.length)
    if (room > 0) {
      this.head.push(chunk.subarray(0, room))
      this.headSize += room
    }
    if (room === chunk.length) return
    this.tail.push(chunk.subarray(room))
    this.tailSize += chunk.length - room
    while (this.tailSize - (this.tail[0]?.length ?? 0) >= half) this.tailSize -= this.tail.shift()?.length ?? 0
  }

  result(breaks: number, flooded: boolean): Collected {
    const kept = Buffer.concat(this.tail)
    const tail = kept.subarray(Math.max(0, kept.length - half))
    return {
      head: Buffer.concat(this.head),
      tail,
      gap: this.bytes - this.headSize - tail.length,
      bytes: this.bytes,
      breaks,
      flooded,
    }
  }
}

/** Counts as Read does, so that line numbers agree. */
class BreakCounter {
  breaks = 0
  private afterCr = false

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.breaks += countBreaks(chunk) - (this.afterCr && chunk[0] === 10 ? 1 : 0)
    this.afterCr = chunk.at(-1) === 13
  }
}

export function countBreaks(bytes: Uint8Array): number {
  let breaks = 0
  if (bytes.indexOf(13) < 0) {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) breaks++
    return breaks
  }
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 13 || (bytes[i] === 10 && bytes[i - 1] !== 13)) breaks++
  return breaks
}
