// summary.json: what a list shows of a session, written by its owner. A cache: it may be deleted at any time.
import { join } from 'node:path'
import type { SessionSummary } from '@tenon/protocol'
import { sessionSummary } from '@tenon/protocol'
import { z } from 'zod'
import type { Disk } from '../log/disk/disk.ts'
import { readSmall, replaceFile } from '../log/disk/disk.ts'
import { segmentsKey } from './layout.ts'

/** @property key the state of the segments that the summary tells of */
const record = z.object({ key: z.string(), summary: sessionSummary })
export type SummaryRecord = Readonly<z.infer<typeof record>>

const pathOf = (dir: string): string => join(dir, 'summary.json')

/** Atomic. The key is taken first: a summary never claims to tell of events stored after it was made. */
export async function writeSummary(disk: Disk, dir: string, summary: SessionSummary): Promise<void> {
  const key = await segmentsKey(disk, dir)
  await replaceFile(disk, pathOf(dir), Buffer.from(JSON.stringify({ key, summary })), false)
}

/** `undefined` when there is none or it cannot be used. */
export async function readSummary(disk: Disk, dir: string): Promise<SummaryRecord | undefined> {
  const bytes = await readSmall(disk, pathOf(dir))
  return bytes && parseCache(record, bytes)
}

/** What a cache file holds, or `undefined`: a cache that cannot be read is as good as none. */
export function parseCache<T>(schema: z.ZodType<T>, bytes: Uint8Array): T | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data
  } catch {
    return undefined
  }
}
