// lease.json: who owns the session, for people and for choosing when to take over. Fencing never trusts it.
import { join } from 'node:path'
import type { LogOwner } from '@tenon/core'
import { z } from 'zod'
import type { Disk } from './disk/disk.ts'
import { readSmall, replaceFile } from './disk/disk.ts'
import type { ProcessFacts } from './owner.ts'
import { isAlive } from './owner.ts'

const leaseRecord = z.object({
  token: z.int(),
  /** Random: tells two leases of one process apart. */
  owner: z.string(),
  pid: z.int(),
  pidStart: z.number(),
  boot: z.string(),
  host: z.string(),
  /** Counts up each 10 s while the owner lives. */
  renewal: z.int(),
  /** Milliseconds UTC, for people only. */
  renewedAt: z.number(),
  url: z.string().optional(),
})
export type LeaseRecord = Readonly<z.infer<typeof leaseRecord>>

/** A foreign host's owner is dead when its lease stood still for this long on our own clock. */
const foreignMs = 30_000
const foreignPollMs = 1000

const pathOf = (dir: string): string => join(dir, 'lease.json')

/** `undefined` when there is none or it cannot be read: it is only a hint. */
export async function readLease(disk: Disk, dir: string): Promise<LeaseRecord | undefined> {
  const bytes = await readSmall(disk, pathOf(dir)).catch(() => undefined)
  if (!bytes) return undefined
  try {
    return leaseRecord.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data
  } catch {
    return undefined
  }
}

export const writeLease = (disk: Disk, dir: string, record: LeaseRecord): Promise<void> =>
  replaceFile(disk, pathOf(dir), Buffer.from(`${JSON.stringify(record)}\n`), false)

/** Removes the file if it is still this owner's. */
export async function removeLease(disk: Disk, dir: string, owner: string): Promise<void> {
  if ((await readLease(disk, dir))?.owner === owner) await disk.remove(pathOf(dir))
}

/** An owner whose life this machine cannot judge counts as alive. */
export const toOwner = (record: LeaseRecord, own?: ProcessFacts): LogOwner => ({
  pid: record.pid,
  host: record.host,
  renewedAt: record.renewedAt,
  alive: isAlive(record, own) ?? true,
  ...(record.url === undefined ? {} : { url: record.url }),
})

/**
 * The owner that stands in the way of a claim, or `undefined` when nobody does. A dead one on this machine is known at
 * once; one elsewhere is watched for 30 s of this process's own waiting, so no clock is compared with another's, and a
 * clock that jumps changes nothing.
 */
export async function findLiving(disk: Disk, dir: string, own: ProcessFacts): Promise<LeaseRecord | undefined> {
  const first = await readLease(disk, dir)
  if (!first) return undefined
  const alive = isAlive(first, own)
  if (alive !== undefined) return alive ? first : undefined
  for (let waited = 0; waited < foreignMs; waited += foreignPollMs) {
    await disk.pause(foreignPollMs)
    const now = await readLease(disk, dir)
    if (!now) return undefined
    if (now.renewal !== first.renewal || now.owner !== first.owner) return now
  }
  return undefined
}
