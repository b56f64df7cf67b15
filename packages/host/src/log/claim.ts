// Becoming the writer: create the next segment (its number is the token), read the log below it, write the header.
import { join } from 'node:path'
import { TenonError } from '@tenon/protocol'
import type { Disk } from './disk/disk.ts'
import { hasCode } from './disk/disk.ts'
import { toStorageError } from './disk/storage-error.ts'
import type { LeaseRecord } from './lease-file.ts'
import { findLiving, readLease, toOwner, writeLease } from './lease-file.ts'
import type { OwnSegments } from './own-segments.ts'
import type { ProcessFacts } from './owner.ts'
import { parseHeader, segmentName, segmentNumbers } from './segment.ts'

/** How long a claim of another process may stay without lease file or header before it counts as crashed. */
const unfinishedMs = 500
const unfinishedPollMs = 25
const longestHeader = 1024

export interface ClaimOptions {
  readonly url?: string
  readonly takeOver?: boolean
}

interface Place {
  readonly disk: Disk
  readonly dir: string
  readonly own: ProcessFacts
  readonly now: () => number
}

/**
 * Creates the claimed segment, still without a header, and says so in the lease file.
 * @throws TenonError `session_in_use`, `log_newer`, `storage_full`, `storage_readonly`, `storage_failed`
 */
export async function claimSegment(place: Place, segments: OwnSegments, options: ClaimOptions): Promise<LeaseRecord> {
  const { disk, dir } = place
  try {
    await disk.makeDir(dir)
    for (;;) {
      if (!options.takeOver) await requireFree(place)
      const highest = segmentNumbers(await disk.list(dir))[0] ?? 0
      await firstLine(disk, dir, highest)
      try {
        await segments.create(highest + 1)
        break
      } catch (error) {
        // Somebody was faster: ask again who that is.
        if (!hasCode(error, 'EEXIST')) throw error
      }
    }
    // Before the header, so that whoever meets a headered segment without this file knows that its owner let go.
    const record = toRecord(place, segments.number(), options.url)
    await writeLease(disk, dir, record)
    return record
  } catch (error) {
    throw toStorageError(error, dir, 0)
  }
}

function toRecord({ own, now }: Place, token: number, url: string | undefined): LeaseRecord {
  const owner = globalThis.crypto.randomUUID()
  return { token, owner, ...own, renewal: 0, renewedAt: now(), ...(url === undefined ? {} : { url }) }
}

async function requireFree({ disk, dir, own }: Place): Promise<void> {
  await awaitUnfinished(disk, dir)
  const living = await findLiving(disk, dir, own)
  if (living) throw sessionInUse(living, own)
}

/** A highest segment without a header and without its lease file is a claim in progress: give it a moment. */
async function awaitUnfinished(disk: Disk, dir: string): Promise<void> {
  for (let waited = 0; waited < unfinishedMs; waited += unfinishedPollMs) {
    const highest = segmentNumbers(await disk.list(dir))[0] ?? 0
    if (highest === 0 || (await firstLine(disk, dir, highest))) return
    if (((await readLease(disk, dir))?.token ?? 0) >= highest) return
    await disk.pause(unfinishedPollMs)
  }
}

/**
 * Whether the first line is whole, header or not: only an unfinished one may still become a header.
 * @throws TenonError `log_newer`: this Tenon has no business in the log, not even to leave an empty segment
 */
async function firstLine(disk: Disk, dir: string, number: number): Promise<boolean> {
  if (number === 0) return false
  const start = await disk.read(join(dir, segmentName(number)), 0, longestHeader)
  const end = start.indexOf(0x0a)
  if (end >= 0) parseHeader(Buffer.from(start.subarray(0, end)).toString('utf8'))
  return end >= 0
}

/** Facts: pid, host, url, renewedAt, alive. */
export function sessionInUse(record: LeaseRecord, own: ProcessFacts): TenonError {
  const owner = toOwner(record, own)
  return new TenonError(
    {
      code: 'session_in_use',
      message: `The session is held by process ${owner.pid} on ${owner.host}`,
      action: 'Attach to that process, or take over with --take-over.',
      retryable: true,
    },
    { ...owner },
  )
}
