// Which segments are the log: the chain from the highest headered segment back through `after`. All others are void.
import { join } from 'node:path'
import type { Group } from '@tenon/core'
import type { Disk } from './disk/disk.ts'
import { hasCode } from './disk/disk.ts'
import type { Segment } from './scan.ts'
import { createSegment } from './scan.ts'
import { segmentName, segmentNumbers } from './segment.ts'

/** One segment of the chain. */
export interface Link {
  readonly segment: Segment
  /** First seq of the next link up; infinite for the highest. Only events below it count. */
  readonly until: number
  /** One more than the highest seq that counts and that this look saw: what others read later is not part of it. */
  readonly end: number
}

export interface Look {
  /** Oldest first. */
  readonly links: readonly Link[]
  /** Highest segment there is, 0 for none, and how many bytes of it were seen. */
  readonly top: number
  readonly topBytes: number
  /** One more than the highest seq. */
  readonly end: number
  /** The highest segment has no header yet: its writer may still cut what is shown from the tail. */
  readonly unsettled: boolean
  /** Why a link downwards could not be followed. */
  readonly breaks: readonly string[]
}

export interface Chain {
  /**
   * A look at the whole log. With `below` only at lower segments: what the writer of that one may build on.
   * `keep` gets each group that this chain reads for the first time.
   */
  look(options?: { readonly below?: number; readonly keep?: Keep }): Promise<Look>
  /**
   * The same look for the writer of segment `below`, read upwards and once: `visit` gets every group in order while it is
   * read. `undefined`, and nothing visited, when the headers alone do not say the chain or something was read before.
   */
  climb(below: number, visit: (group: Group, until: number) => void): Promise<Look | undefined>
}
type Keep = (segment: Segment, group: Group) => void

export function createChain(disk: Disk, dir: string, chunk?: number): Chain {
  const segments = new Map<number, Segment>()
  const pathOf = (number: number) => join(dir, segmentName(number))

  function segmentOf(number: number): Segment {
    const found = segments.get(number) ?? createSegment(disk, pathOf(number), number, chunk)
    segments.set(number, found)
    return found
  }

  /** From the highest down, so that a link is read after the one above it has said how much of it counts. */
  async function follow(numbers: readonly number[], keep?: Keep): Promise<Look> {
    const links: Link[] = []
    const breaks: string[] = []
    let wanted = Number.POSITIVE_INFINITY
    let until = Number.POSITIVE_INFINITY
    let unsettled = false
    for (const number of numbers) {
      if (number > wanted) continue
      if (wanted === 0) break
      const segment = segmentOf(number)
      const known = segment.index()
      const isKnown = segment.header() !== undefined && known.end() >= until
      const end = Math.min(until, isKnown ? known.end() : await refresh(segment, keep))
      const header = segment.header()
      if (!header) {
        unsettled ||= number === numbers[0]
        continue
      }
      if (number < wanted && Number.isFinite(wanted)) breaks.push(`${pathOf(wanted)} is missing or has no header`)
      // The first segment has nothing below it; of any other nobody can say any more which ones it was built on.
      if (segment.headerLost() && number > 1)
        breaks.push(`${segment.path}: the header is damaged; what lies below is a guess`)
      links.unshift({ segment, until, end })
      wanted = Math.min(header.after, number - 1)
      until = Math.min(until, header.from)
    }
    if (wanted > 0 && Number.isFinite(wanted)) breaks.push(`${pathOf(wanted)} is missing or has no header`)
    const top = numbers[0] ?? 0
    const tail = top > 0 ? segmentOf(top).tail() : { offset: 0, length: 0 }
    const end = links.reduce((high, link) => Math.max(high, link.end), 0)
    return { links, top, topBytes: tail.offset + tail.length, end, unsettled, breaks }
  }

  /** The links by their headers, oldest first, or `undefined` when one is lost, headerless or read already. */
  async function linksByHeader(numbers: readonly number[]): Promise<readonly Omit<Link, 'end'>[] | undefined> {
    const links: Omit<Link, 'end'>[] = []
    let wanted = numbers[0] ?? 0
    let until = Number.POSITIVE_INFINITY
    for (const number of numbers) {
      if (number > wanted) continue
      if (wanted === 0) break
      const segment = segmentOf(number)
      const header = await segment.peek().catch(() => undefined)
      if (!header || number < wanted) return undefined
      links.unshift({ segment, until })
      wanted = Math.min(header.after, number - 1)
      until = Math.min(until, header.from)
    }
    return wanted === 0 ? links : undefined
  }

  return {
    async climb(below, visit) {
      const numbers = segmentNumbers(await disk.list(dir)).filter((number) => number < below)
      const found = await linksByHeader(numbers)
      if (!found) return undefined
      const links: Link[] = []
      for (const { segment, until } of found) {
        const end = Math.min(until, await segment.refresh((group) => visit(group, until)))
        links.push({ segment, until, end })
      }
      const top = links.at(-1)?.segment
      const tail = top?.tail() ?? { offset: 0, length: 0 }
      const end = links.reduce((high, link) => Math.max(high, link.end), 0)
      return { links, top: top?.number ?? 0, topBytes: tail.offset + tail.length, end, unsettled: false, breaks: [] }
    },
    async look({ below = Number.POSITIVE_INFINITY, keep } = {}) {
      for (;;) {
        const numbers = segmentNumbers(await disk.list(dir)).filter((number) => number < below)
        const found = await follow(numbers, keep)
        // A claim that came while we read may have cut what we saw: look again.
        if (Number.isFinite(below) || !(await disk.stat(pathOf(found.top + 1)))) return found
      }
    },
  }
}

async function refresh(segment: Segment, keep?: Keep): Promise<number> {
  try {
    return await segment.refresh(keep && ((group) => keep(segment, group)))
  } catch (error) {
    // Removed while we looked; the chain then says what is missing.
    if (!hasCode(error, 'ENOENT')) throw error
    return segment.index().end()
  }
}
