// The directories of sessions: `sessions/<slug>-<12 hex of sha256 of the project root>/<session>/`.
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { SessionId } from '@tenon/protocol'
import type { Disk } from '../log/disk/disk.ts'
import { segmentName, segmentNumbers } from '../log/segment.ts'

export interface SessionPlace {
  readonly id: SessionId
  /** Name of the project's directory under `sessions/`. */
  readonly folder: string
  readonly dir: string
}

export const sessionsDir = (data: string): string => join(data, 'sessions')

/** Readable and unique: two projects of one name lie apart. */
export function projectFolder(project: string): string {
  const slug = basename(project)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${slug || 'root'}-${createHash('sha256').update(project).digest('hex').slice(0, 12)}`
}

/** Every session directory, or those of one project. Reads directories only. */
export async function listPlaces(disk: Disk, data: string, project?: string): Promise<SessionPlace[]> {
  const root = sessionsDir(data)
  const folders = project === undefined ? await disk.list(root) : [projectFolder(project)]
  const places: SessionPlace[] = []
  for (const folder of folders.filter((name) => /-[0-9a-f]{12}$/.test(name)))
    for (const name of await disk.list(join(root, folder)))
      if (isSessionId(name)) places.push({ id: name, folder, dir: join(root, folder, name) })
  return places
}

/** Session ids are names of directories: nothing else may stand in them. */
export const isSessionId = (name: string): name is SessionId => /^ses_[\w-]{1,100}$/.test(name)

/** The state of a session's segments in one text: names, sizes, times of change. Equal text, equal log. */
export async function segmentsKey(disk: Disk, dir: string): Promise<string> {
  const parts: string[] = []
  for (const number of segmentNumbers(await disk.list(dir))) {
    const facts = await disk.stat(join(dir, segmentName(number)))
    if (facts) parts.push(`${number}:${facts.size}:${facts.mtimeMs}`)
  }
  return parts.join(' ')
}
