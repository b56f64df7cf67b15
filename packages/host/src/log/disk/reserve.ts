// A file that holds 1 MiB of disk back, so that a full disk still takes the events that close a run in good order.
import { randomFillSync } from 'node:crypto'
import type { Disk } from './disk.ts'
import { replaceFile } from './disk.ts'

const reserveBytes = 1 << 20

/** Makes the file if it is missing. A disk too full for it is no error: there is simply no reserve. */
export async function ensureReserve(disk: Disk, path: string): Promise<void> {
  if (await disk.stat(path)) return
  // Random bytes, because file systems that compress would hold nothing back for zeros.
  await replaceFile(disk, path, randomFillSync(new Uint8Array(reserveBytes)), false).catch(() => undefined)
}

/** Gives the reserve back to the disk. False when there was none. */
export async function releaseReserve(disk: Disk, path: string | undefined): Promise<boolean> {
  if (path === undefined || !(await disk.stat(path))) return false
  await disk.remove(path)
  return true
}
