// The session store: makes, finds and lists sessions, and hands out their Log and Blobs. Holds no state of its own.
import { join } from 'node:path'
import type { Blobs, Log } from '@tenon/core'
import type { SessionId, SessionPage, SessionSummary } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import { createFileBlobs } from '../blobs/blobs.ts'
import type { Disk } from '../log/disk/disk.ts'
import { createMemoryDisk } from '../log/disk/memory-disk.ts'
import { nodeDisk } from '../log/disk/node-disk.ts'
import { ensureReserve } from '../log/disk/reserve.ts'
import { toStorageError } from '../log/disk/storage-error.ts'
import { createFileLog } from '../log/file-log.ts'
import { findById, findByTitle, newestFirst, timeOf } from './find.ts'
import { readRows } from './index-cache.ts'
import type { SessionPlace } from './layout.ts'
import { isSessionId, listPlaces, projectFolder, segmentsKey, sessionsDir } from './layout.ts'
import { writeSummary } from './summary.ts'

/**
 * What acknowledged means: `group` survives a power cut, `process` survives kill -9, `memory` writes nothing to the
 * disk at all.
 */
export type SyncMode = 'group' | 'process' | 'memory'

export interface SessionStoreOptions {
  /** Tenon's data directory; sessions lie in `sessions` below it. */
  readonly data: string
  readonly sync?: SyncMode
}

/** One session's storage. `close` the log when done. */
export interface StoredSession {
  readonly id: SessionId
  readonly dir: string
  readonly log: Log
  readonly blobs: Blobs
}

export interface SessionStore {
  /** Makes the directory of a new session. @throws TenonError `id_taken`, `bad_request` (id no name of a file), `storage_full`, `storage_readonly` */
  create(session: SessionId, project: string): Promise<StoredSession>
  /**
   * By full id, unique start of an id (≥ 4 characters after `ses_`), exact title, or `last`: the newest one.
   * @throws TenonError `unknown_session` naming near ones, `ambiguous_session` listing those that match
   */
  find(text: string, options?: { readonly project?: string }): Promise<StoredSession>
  /** Newest change first, at most `limit` (100). `cursor` is the `next` of the page before. Reads no whole log. */
  list(query?: ListQuery): Promise<SessionPage>
  /** Atomic. Its owner's duty: at the end of a run, and otherwise at most every 2 s. */
  writeSummary(session: StoredSession, summary: SessionSummary): Promise<void>
}

export interface ListQuery {
  readonly project?: string
  readonly limit?: number
  readonly cursor?: string
}

export function createSessionStore({ data, sync = 'group' }: SessionStoreOptions): SessionStore {
  const disk: Disk = sync === 'memory' ? createMemoryDisk() : nodeDisk
  const reserve = join(sessionsDir(data), 'reserve')

  function open({ id, dir }: Pick<SessionPlace, 'id' | 'dir'>): StoredSession {
    const options = { disk, sync: sync === 'group' }
    const log = createFileLog({ ...options, session: id, dir, reserve })
    return { id, dir, log, blobs: createFileBlobs({ ...options, dir: join(dir, 'blobs') }) }
  }

  return {
    async create(session, project) {
      const parent = join(sessionsDir(data), projectFolder(project))
      const dir = join(parent, session)
      if (!isSessionId(session)) throw badId(session)
      const known = (await listPlaces(disk, data)).find(({ id }) => id === session)
      // An empty log is nobody's yet: its maker may have ended before the first event.
      if (known && (known.dir !== dir || (await segmentsKey(disk, dir)) !== '')) throw taken(session)
      try {
        const changed = (await disk.stat(parent)) ? [parent] : [parent, sessionsDir(data), data]
        await disk.makeDir(dir)
        if (sync === 'group') for (const folder of changed) await disk.syncDir(folder)
        if (sync !== 'memory') await ensureReserve(disk, reserve)
      } catch (error) {
        throw toStorageError(error, dir, 0)
      }
      return open({ id: session, dir })
    },
    async find(text, { project } = {}) {
      const places = await listPlaces(disk, data, project)
      const place = text === 'last' ? undefined : findById(text, places)
      if (place) return open(place)
      const { id } = findByTitle(text, await readRows(disk, data, project))
      return open(places.find((candidate) => candidate.id === id) ?? missing(id))
    },
    async list({ project, limit = 100, cursor } = {}) {
      const rows = [...(await readRows(disk, data, project))].sort(newestFirst)
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      const rest = after ? rows.filter((row) => newestFirst(row, after) > 0) : rows
      const items = rest.slice(0, limit)
      const last = items.at(-1)
      return { items, next: last && rest.length > items.length ? `${timeOf(last)}.${last.id}` : null }
    },
    writeSummary: ({ dir }, summary) => writeSummary(disk, dir, summary),
  }
}

/** What a page ended with. A session that changes while somebody pages moves to the front, to pages seen already. */
function parseCursor(cursor: string): SessionSummary {
  const [, time, id] = /^(-?\d+)\.(ses_\w+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined)
    throw new TenonError({
      code: 'bad_request',
      message: `"${cursor}" is no cursor`,
      action: 'Start without a cursor.',
    })
  // Only what `newestFirst` reads.
  return { id, openedAt: Number(time) } as SessionSummary
}

const taken = (session: SessionId): TenonError =>
  new TenonError({
    code: 'id_taken',
    message: `There is a session ${session} already`,
    action: 'Resume it, or choose another id.',
  })

const badId = (session: string): TenonError =>
  new TenonError({
    code: 'bad_request',
    message: `"${session}" cannot name a session`,
    action: 'Use ses_ and then letters, digits, - or _ only.',
  })

function missing(session: SessionId): never {
  throw new TenonError({
    code: 'unknown_session',
    message: `Session ${session} is gone`,
    action: 'See `tenon session list --all`.',
  })
}
