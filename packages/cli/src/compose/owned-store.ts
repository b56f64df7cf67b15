// Sessions as the registry takes them up: found in the store, claimed, opened with this process's ports, summed up for lists.
import { type Group, type Lease, openSession, type Sender, type Session } from '@tenon/core'
import { endLeftovers, type SessionStore as Stored, type StoredSession, sha256 } from '@tenon/host'
import { createFold, emptyRun, type RunState } from '@tenon/projections'
import { type CommandOf, createIdGenerator, type SessionId, TenonError } from '@tenon/protocol'
import type { Opened, SessionSource } from '@tenon/server'
import { type Make, makePorts } from './build.ts'
import { keepSummary } from './summary.ts'

export interface OwnedStoreOptions {
  readonly store: Stored
  readonly make: Make
  /** Where other processes reach this one; `undefined`: nowhere. */
  readonly url: () => Promise<string | undefined>
  readonly takeOver: boolean
}

export interface OwnedStore extends SessionSource {
  /** Resolves when no session of this process runs. */
  rest(): Promise<void>
  /** Resolves when the summaries of the closed sessions are written. */
  settled(): Promise<void>
}

export function createOwnedStore({ store, make, url, takeOver }: OwnedStoreOptions): OwnedStore {
  const nextId = createIdGenerator(Date.now, Math.random)
  const owned: Session[] = []
  const summaries: Promise<void>[] = []

  async function take(stored: StoredSession, cwd?: string): Promise<Session> {
    const address = await url()
    // Folded while it is read, so that a long log is never held as a whole.
    const fold = createFold(sha256)
    let state = emptyRun
    let broken: unknown
    const visit = (group: Group) => {
      try {
        if (broken === undefined) state = group.reduce(fold, state)
      } catch (error) {
        broken = error
      }
    }
    const lease = await stored.log.claim({ takeOver, visit, ...(address !== undefined && { url: address }) })
    // A log that lacks events does not fold: then opening it says what is missing.
    if (broken !== undefined && lease.contents.whole) {
      await lease.release()
      throw broken
    }
    // A call was running when its owner died: its processes must not work beside what comes next.
    if (state.batch?.calls.some((call) => call.state === 'running')) await endLeftovers(stored.id)
    const session = await openOrRelease(stored, lease, state, cwd)
    owned.push(session)
    summaries.push(keepSummary(session, (summary) => store.writeSummary(stored, summary)))
    return session
  }

  async function openOrRelease(stored: StoredSession, lease: Lease, state: RunState, cwd?: string): Promise<Session> {
    try {
      return await openSession(makePorts(make, stored, state, cwd), lease)
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  return {
    async open(command: CommandOf<'open'>, sender: Sender): Promise<Opened> {
      const id: SessionId = command.session ?? `ses_${nextId()}`
      const stored = await store.create(id, command.project ?? command.cwd).catch((error: unknown) => {
        if (error instanceof TenonError && error.code === 'id_taken') return store.find(id)
        throw toStorageError(error)
      })
      const session = await take(stored, command.cwd)
      return { session, outcome: await session.command(command, sender) }
    },
    resume: async (id) => take(await store.find(id)),
    list: (query) => store.list(query),
    blobs: async (id) => (await store.find(id)).blobs,
    rest: async () => {
      const never = new AbortController().signal
      // A session that failed has no rest to wait for; closing it says why.
      await Promise.all(owned.map((session) => session.rest(never).catch(() => undefined)))
    },
    settled: async () => {
      await Promise.allSettled(summaries)
    },
  }
}

/** An error of the system that reached nobody who knows more: still the storage's, not a bug. */
const toStorageError = (error: unknown): unknown =>
  error instanceof Error && 'syscall' in error
    ? new TenonError({
        code: 'storage_failed',
        message: error.message,
        action: 'Check the disk, and the folders of `tenon paths`.',
      })
    : error
