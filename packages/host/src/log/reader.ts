// Reads the log: everything from a seq on, or single events by their place. Takes no lease and no lock.
import type { Group, LogContents, LogNotice } from '@tenon/core'
import type { Event } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import type { Chain, Link, Look } from './chain.ts'
import type { Disk } from './disk/disk.ts'
import { readSpans, spansBetween } from './lines.ts'
import type { Segment } from './scan.ts'

export interface Reader {
  /** Gives each group with `from ≤ seq`, in order. `below`: only what the writer of that segment may build on. */
  visit(from: number, visit: Visit, below?: number): Promise<Omit<LogContents, 'groups'> & { readonly look: Look }>
  pick(seqs: readonly number[]): Promise<readonly Event[]>
  /** The newest look, if there was one. */
  seen(): Look | undefined
}

type Visit = (group: Group) => void

/** Events that one look keeps at hand; of a longer log the rest is read a second time, so that it needs no memory. */
const keptEvents = 2_000
/** Events whose lines are read together. */
const pageEvents = 500

export function createReader(disk: Disk, chain: Chain): Reader {
  let seen: Look | undefined

  async function look(options: Parameters<Chain['look']>[0] = {}): Promise<Look> {
    const found = await chain.look(options)
    if (options.below === undefined) seen = found
    return found
  }

  /** The groups of one link: what this look read anew is at hand, the rest is read by its place. */
  async function visitLink({ segment, end }: Link, from: number, fresh: readonly Group[], visit: Visit): Promise<void> {
    const give = createTrim(from, end, visit)
    let next = from
    const fetch = async (until: number) => {
      for (; next < until; next = Math.min(until, next + pageEvents)) {
        const spans = spansBetween(segment, next, Math.min(until, next + pageEvents))
        for (const group of await readSpans(disk, segment.path, spans)) if (group) give(group)
      }
    }
    for (const group of inOrder(fresh)) {
      const first = firstOf(group)
      await fetch(Math.min(first, end))
      give(group)
      next = Math.max(next, first + group.length)
    }
    await fetch(end)
  }

  return {
    seen: () => seen,
    async visit(from, visit, below) {
      const climbed = from === 0 && below !== undefined ? await climb(chain, below, visit) : undefined
      if (climbed) return toContents(climbed)
      const fresh = new Map<Segment, Group[]>()
      let kept = 0
      const keep = (segment: Segment, group: Group) => {
        kept += group.length
        if (kept > keptEvents) return
        const groups = fresh.get(segment)
        if (groups) groups.push(group)
        else fresh.set(segment, [group])
      }
      const found = await look(below === undefined ? { keep } : { below, keep })
      for (const link of found.links) {
        if (link.until > from) await visitLink(link, from, fresh.get(link.segment) ?? [], visit)
      }
      return toContents(found)
    },
    async pick(seqs) {
      const highest = Math.max(...seqs, -1)
      const current = seen && !seen.unsettled && seen.end > highest ? seen : await look()
      const events = new Map<number, Event>()
      for (const { segment, end } of current.links) {
        const wanted = seqs.filter((seq) => seq >= segment.index().base && seq < end)
        const spans = wanted.flatMap((seq) => spansBetween(segment, seq, seq + 1))
        const distinct = [...new Map(spans.map((span) => [span.offset, span])).values()]
        const ordered = distinct.sort((a, b) => a.offset - b.offset)
        for (const group of await readSpans(disk, segment.path, ordered))
          for (const event of group ?? []) events.set(event.seq, event)
      }
      return seqs.map((seq) => events.get(seq) ?? missing(seq))
    },
  }
}

const firstOf = (group: Group): number => group[0]?.seq ?? 0

/** By seq; only a damaged file holds them otherwise. */
function inOrder(groups: readonly Group[]): readonly Group[] {
  const isOrdered = groups.every((group, index) => index === 0 || firstOf(group) > firstOf(groups[index - 1] ?? []))
  return isOrdered ? groups : [...groups].sort((a, b) => firstOf(a) - firstOf(b))
}

/** One pass over the whole log, as an owner takes it up: what lies below is read before what was built on it. */
function climb(chain: Chain, below: number, visit: Visit): Promise<Look | undefined> {
  const trims = new Map<number, Visit>()
  return chain.climb(below, (group, until) => {
    const give = trims.get(until) ?? createTrim(0, until, visit)
    trims.set(until, give)
    give(group)
  })
}

function toContents(look: Look): Omit<LogContents, 'groups'> & { readonly look: Look } {
  const gaps = findGaps(look)
  return { notices: [...gaps, ...toNotices(look)], whole: gaps.length === 0, look }
}

/** Passes groups on, cut to `from ≤ seq < until` and to what no earlier group held already. */
function createTrim(from: number, until: number, visit: Visit): Visit {
  let next = from
  return (group) => {
    const first = firstOf(group)
    const end = first + group.length
    const rest = first >= next && end <= until ? group : group.filter(({ seq }) => seq >= next && seq < until)
    if (rest.length > 0) visit(rest)
    next = Math.max(next, Math.min(end, until))
  }
}

/** Acknowledged events that no line holds, and links that could not be followed. */
function findGaps(look: Look): LogNotice[] {
  const gaps: LogNotice[] = look.breaks.map((text) => ({ kind: 'gap', text }))
  const miss = (first: number, end: number, path: string) => {
    const events = end - first === 1 ? `event ${first} is` : `events ${first} to ${end - 1} are`
    gaps.push({ kind: 'gap', text: `${path}: ${events} missing` })
  }
  let next = 0
  for (const { segment, until, end } of look.links) {
    const index = segment.index()
    if (index.base > next) miss(next, index.base, segment.path)
    if (index.holes() > 0) holesOf(segment, end, (first, last) => miss(first, last, segment.path))
    if (Number.isFinite(until) && until > end) miss(Math.max(end, index.base), until, segment.path)
    next = Math.max(next, Number.isFinite(until) ? until : end)
  }
  return gaps
}

function holesOf(segment: Segment, end: number, found: (first: number, end: number) => void): void {
  const index = segment.index()
  for (let seq = index.base; seq < end; seq++) {
    if (index.get(seq)) continue
    const first = seq
    while (seq < end && !index.get(seq)) seq++
    found(first, seq)
  }
}

/** What was wrong with the lines that count; below the point where the next segment took over nobody needs to know. */
function toNotices(look: Look): LogNotice[] {
  const notices: LogNotice[] = look.links.flatMap(({ segment, until }) => {
    const { offset, length } = segment.tail()
    const text = `${segment.path}: ${length} bytes after byte ${offset} have no end; they were never acknowledged`
    const torn: LogNotice[] = length > 0 ? [{ kind: 'torn', text }] : []
    return [
      ...segment
        .flaws()
        .filter((flaw) => flaw.seq < until)
        .map(({ kind, text }) => ({ kind, text })),
      ...torn,
    ]
  })
  if (look.unsettled) notices.push({ kind: 'unsettled', text: `segment ${look.top} has no header yet` })
  return notices
}

function missing(seq: number): never {
  throw new TenonError(
    {
      code: 'log_damaged',
      message: `Event ${seq} is not in the log`,
      action: 'Run `tenon session verify` to see what is damaged, then `tenon session repair`.',
    },
    { seq },
  )
}
