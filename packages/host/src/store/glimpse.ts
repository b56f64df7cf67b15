// A session's row without its summary: from the first 64 KiB and the last 256 KiB of its log, whatever its length.
import { join } from 'node:path'
import type { Event, SessionId, SessionSummary } from '@tenon/protocol'
import type { Disk } from '../log/disk/disk.ts'
import { parseLine, segmentName, segmentNumbers } from '../log/segment.ts'

const headBytes = 64 << 10
const tailBytes = 256 << 10

/** `undefined` when nothing can be told: no whole record at either end. */
export async function glimpse(
  disk: Disk,
  dir: string,
  id: SessionId,
  older?: SessionSummary,
): Promise<SessionSummary | undefined> {
  const numbers = segmentNumbers(await disk.list(dir))
  const tail = await readTail(disk, dir, numbers)
  const head = older ? [] : await readHead(disk, dir, numbers)
  const first = head.find((event) => event.type === 'session.opened')
  const base = older ?? (first && fromOpened(id, first))
  return base && tail.reduce(follow, head.reduce(follow, base))
}

/** Fields that a glimpse cannot count keep the summary's last value, else 0. */
function fromOpened(id: SessionId, event: Extract<Event, { type: 'session.opened' }>): SessionSummary {
  const { title = null, cwd, project, model, agent, mode, at, seq } = event
  const cost = { nanoUsd: 0, unpriced: 0 }
  return { id, title, cwd, project, status: 'idle', seq, openedAt: at, model, agent, mode, cost, asks: 0 }
}

function follow(summary: SessionSummary, event: Event): SessionSummary {
  if (event.seq < summary.seq) return summary
  const next = { ...summary, seq: event.seq, updatedAt: event.at }
  if (event.type === 'session.configured') {
    const { title, model } = event.set
    if (typeof title === 'string' || title === null) next.title = title
    if (typeof model === 'string') next.model = model
  }
  // A run that began and has no end in the log: whether it still runs, only a live owner knows.
  if (event.type === 'run.started') next.status = 'broken'
  if (event.type === 'run.ended') next.status = event.outcome === 'asked' ? 'waiting' : event.outcome
  return next
}

async function readHead(disk: Disk, dir: string, numbers: readonly number[]): Promise<readonly Event[]> {
  const lowest = numbers.at(-1)
  return lowest === undefined ? [] : toEvents(await disk.read(join(dir, segmentName(lowest)), 0, headBytes))
}

/** The last 256 KiB, over several segments when the newest ones are short. */
async function readTail(disk: Disk, dir: string, numbers: readonly number[]): Promise<readonly Event[]> {
  let left = tailBytes
  const parts: (readonly Event[])[] = []
  for (const number of numbers) {
    if (left <= 0) break
    const path = join(dir, segmentName(number))
    const size = (await disk.stat(path))?.size ?? 0
    const bytes = await disk.read(path, Math.max(0, size - left), left)
    left -= bytes.length
    parts.unshift(toEvents(bytes))
  }
  return parts.flat()
}

/** Whole records only: a cut first or last line is none. */
const toEvents = (bytes: Uint8Array): readonly Event[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => parseLine(line) ?? [])
