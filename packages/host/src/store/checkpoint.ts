// checkpoint.json: a serialised fold at one event. A cache: wrong hash, build or shape, and it is as if it were not there.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '@tenon/core'
import type { Event, Json } from '@tenon/protocol'
import { json } from '@tenon/protocol'
import { z } from 'zod'
import type { Disk } from '../log/disk/disk.ts'
import { readSmall, replaceFile } from '../log/disk/disk.ts'
import { encodeLine } from '../log/segment.ts'
import { parseCache } from './summary.ts'

const checkpointFile = z.object({
  v: z.literal(1),
  build: z.string(),
  seq: z.int(),
  /** Of the event's text as the log would write it alone. */
  sha256: z.string(),
  body: json,
})

export interface Checkpoint {
  /** The newest event that the body holds. */
  readonly seq: number
  readonly body: Json
}

const pathOf = (dir: string): string => join(dir, 'checkpoint.json')
const hashOf = (event: Event): string =>
  createHash('sha256')
    .update(encodeLine([event]))
    .digest('hex')

/** @param last the newest event folded into `body`; @param build what wrote it: another build ignores it */
export async function writeCheckpoint(disk: Disk, dir: string, last: Event, build: string, body: Json): Promise<void> {
  const content = { v: 1, build, seq: last.seq, sha256: hashOf(last), body }
  await replaceFile(disk, pathOf(dir), Buffer.from(JSON.stringify(content)), false)
}

/** `undefined` unless the log holds that very event and the build is the same. */
export async function readCheckpoint(
  disk: Disk,
  dir: string,
  log: Log,
  build: string,
): Promise<Checkpoint | undefined> {
  const bytes = await readSmall(disk, pathOf(dir))
  const found = bytes && parseCache(checkpointFile, bytes)
  if (!found || found.build !== build) return undefined
  const [event] = await log.pick([found.seq]).catch(() => [])
  return event && hashOf(event) === found.sha256 ? { seq: found.seq, body: found.body } : undefined
}
