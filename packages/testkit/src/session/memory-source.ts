// Where the registry of a server under test takes its sessions from: a map, with faults on demand.
import type { Blobs, Sender, Session } from '@tenon/core'
import { type CommandOf, type Outcome, type SessionId, type SessionPage, TenonError } from '@tenon/protocol'
import { createMemorySession, type MemorySession } from './memory-session.ts'

export interface MemorySource {
  readonly sessions: Map<SessionId, MemorySession>
  /** How often a session was taken up or made. */
  readonly opened: SessionId[]
  open(command: CommandOf<'open'>, sender: Sender): Promise<{ readonly session: Session; readonly outcome: Outcome }>
  resume(id: SessionId): Promise<Session>
  list(query: { readonly limit: number; readonly cursor?: string }): Promise<SessionPage>
  blobs(id: SessionId): Promise<Blobs>
}

/** @param blobs contents by their SHA-256 */
export function createMemorySource(blobs: ReadonlyMap<string, Uint8Array> = new Map()): MemorySource {
  const sessions = new Map<SessionId, MemorySession>()
  const opened: SessionId[] = []
  const take = (id: SessionId): MemorySession | undefined => {
    opened.push(id)
    return sessions.get(id)
  }
  return {
    sessions,
    opened,
    open: async (command, sender) => {
      const id = command.session ?? `ses_${sessions.size}`
      const session = take(id) ?? createMemorySession({ id })
      sessions.set(id, session)
      if (session.durable() >= 0) return { session, outcome: { accepted: true, seq: null } }
      return { session, outcome: await session.command({ ...command, session: id }, sender) }
    },
    resume: async (id) => {
      const session = take(id)
      if (session) return session
      throw new TenonError(
        { code: 'unknown_session', message: `There is no session ${id}.`, action: 'List them.' },
        { id },
      )
    },
    list: async ({ limit, cursor }) => {
      const ids = [...sessions.keys()].reverse()
      const from = cursor === undefined ? 0 : Number(cursor)
      const items = ids.slice(from, from + limit).map((id) => toRow(id, sessions.get(id)?.durable() ?? -1))
      return { items, next: from + limit < ids.length ? String(from + limit) : null }
    },
    blobs: async () => ({
      put: () => Promise.reject(new Error('not here')),
      spool: () => Promise.reject(new Error('not here')),
      get: async (sha256, range) => {
        const bytes = blobs.get(sha256)
        if (!bytes)
          throw new TenonError({ code: 'blob_missing', message: 'There is no such blob.', action: 'Check the hash.' })
        return range ? bytes.slice(range.offset, range.offset + range.length) : bytes
      },
    }),
  }
}

const toRow = (id: SessionId, seq: number): SessionPage['items'][number] => ({
  id,
  title: null,
  cwd: '/work',
  project: '/work',
  status: 'idle',
  seq,
  openedAt: 0,
  model: 'demo',
  agent: 'default',
  mode: 'default',
  cost: { nanoUsd: 0, unpriced: 0 },
  asks: 0,
})
