// Counts what a session's blobs hold together, and refuses what would go over.
import { join } from 'node:path'
import { TenonError } from '@tenon/protocol'
import type { Disk } from '../log/disk/disk.ts'

export interface Quota {
  /** @throws TenonError `quota_exceeded` */
  take(bytes: number): Promise<void>
  give(bytes: number): void
}

export function createQuota(disk: Disk, dir: string, limit: number): Quota {
  let used: Promise<number> | undefined
  let taken = 0

  /** Counted once, before the first write; nobody else writes blobs of a session that this process owns. */
  async function count(): Promise<number> {
    let sum = 0
    for (const folder of await disk.list(dir)) {
      if (folder.length !== 2) continue
      for (const name of await disk.list(join(dir, folder)))
        sum += (await disk.stat(join(dir, folder, name)))?.size ?? 0
    }
    return sum
  }

  return {
    async take(bytes) {
      used ??= count()
      const before = await used
      if (before + taken + bytes > limit) throw exceeded(before + taken, bytes, limit, dir)
      taken += bytes
    },
    give(bytes) {
      taken -= bytes
    },
  }
}

const exceeded = (used: number, bytes: number, limit: number, dir: string): TenonError =>
  new TenonError(
    {
      code: 'quota_exceeded',
      message: `${bytes} bytes more would put the session's blobs over ${limit} bytes (${used} are stored)`,
      action: 'Keep head and tail only, or free space with `tenon session gc`.',
    },
    { used, bytes, limit, dir },
  )
