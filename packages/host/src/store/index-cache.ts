// sessions/index.json gathers the rows of all sessions, each keyed by the state of its segments. A cache that heals
// itself: a row whose key differs is rebuilt from the session's summary, else from both ends of its log.
import { join } from 'node:path'
import type { SessionSummary } from '@tenon/protocol'
import { sessionSummary } from '@tenon/protocol'
import { z } from 'zod'
import type { Disk } from '../log/disk/disk.ts'
import { readSmall, replaceFile } from '../log/disk/disk.ts'
import { glimpse } from './glimpse.ts'
import type { SessionPlace } from './layout.ts'
import { listPlaces, projectFolder, segmentsKey, sessionsDir } from './layout.ts'
import { parseCache, readSummary } from './summary.ts'

/** Rows are checked one by one when used: a row of another build spoils only itself. */
const indexFile = z.object({
  v: z.literal(1),
  rows: z.record(z.string(), z.object({ key: z.string(), summary: z.unknown() })),
})
type Rows = z.infer<typeof indexFile>['rows']

/** The rows of all sessions or of one project, in no order. Reads one file, and of stale rows at most 400 KiB each. */
export async function readRows(disk: Disk, data: string, project?: string): Promise<readonly SessionSummary[]> {
  const path = join(sessionsDir(data), 'index.json')
  const bytes = await readSmall(disk, path)
  const old: Rows = (bytes && parseCache(indexFile, bytes)?.rows) ?? {}
  const places = await listPlaces(disk, data, project)
  const own = project === undefined ? '' : `${projectFolder(project)}/`
  const kept = Object.entries(old).filter(([name]) => !name.startsWith(own))
  const rows: Rows = Object.fromEntries(kept)
  const summaries: SessionSummary[] = []
  let changed = Object.keys(old).length !== kept.length + places.length
  for (const place of places) {
    const name = `${place.folder}/${place.id}`
    const key = await segmentsKey(disk, place.dir)
    const row = old[name]
    const held = row?.key === key ? sessionSummary.safeParse(row.summary).data : undefined
    const summary = held ?? (await rebuild(disk, place, key))
    changed ||= !held
    if (!summary) continue
    rows[name] = { key, summary }
    summaries.push(summary)
  }
  // Nobody is told when the cache cannot be written: the next list rebuilds the same rows.
  if (changed) await replaceFile(disk, path, Buffer.from(JSON.stringify({ v: 1, rows })), false).catch(() => undefined)
  return summaries
}

async function rebuild(disk: Disk, { dir, id }: SessionPlace, key: string): Promise<SessionSummary | undefined> {
  if (key === '') return undefined
  const record = await readSummary(disk, dir)
  return record?.key === key ? record.summary : glimpse(disk, dir, id, record?.summary)
}
