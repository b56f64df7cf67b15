// A Log in memory with the file log's contract, and hands for a simulator: hold back durability, fail a sync, cut the
// power, lose the lease. No timer, no clock: it moves only when its callers or those hands move it.
import type { Log, LogContents } from '@tenon/core'
import type { Event, SessionId } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import { createMemoryLease } from './memory-lease.ts'
import { createMemoryStorage, endOf, type MemoryStorage, untilWoken, wake } from './memory-storage.ts'
import { freeProcess, type LogProcess } from './process.ts'

export interface MemoryLog extends Log {
  /** The same log as another process sees it. */
  attach(process?: LogProcess): Log
  /** From now on appends stay undurable, and unacknowledged, until `unhold`. */
  hold(): void
  unhold(): void
  /** The next `count` syncs fail. Up to three in a row the lease writes the same groups again; the fourth is refused. */
  failSyncs(count: number): void
  /**
   * Power cut: what was not durable is gone, appends under way never settle, nobody holds the lease any more.
   * `hold` and failures set before it are forgotten.
   */
  crash(): void
  /** Every durable event, at once. */
  stored(): readonly Event[]
  /** Another process takes over: the owner's next append is `lease_lost`, its `lost` aborts. */
  loseLease(): void
}

export function createMemoryLog(session: SessionId = 'ses_memory'): MemoryLog {
  const storage = createMemoryStorage(session)
  const attach = (process: LogProcess = freeProcess) => attachTo(storage, process)
  const change = (act: () => void) => {
    act()
    wake(storage)
  }
  return {
    ...attach(),
    attach,
    stored: () => storage.groups.flat(),
    hold: () => {
      storage.held = true
    },
    unhold: () =>
      change(() => {
        storage.held = false
      }),
    failSyncs: (count) => {
      storage.failures = count
    },
    crash: () =>
      change(() => {
        storage.epoch++
        storage.owner = undefined
        storage.held = false
        storage.failures = 0
      }),
    loseLease: () =>
      change(() => {
        storage.token++
        storage.owner = undefined
      }),
  }
}

function attachTo(storage: MemoryStorage, process: LogProcess): Log {
  let release: (() => Promise<void>) | undefined

  const contentsFrom = (from: number): LogContents => ({
    groups: storage.groups
      .map((group) => ((group[0]?.seq ?? 0) >= from ? group : group.filter(({ seq }) => seq >= from)))
      .filter((group) => group.length > 0),
    notices: [],
    whole: true,
  })

  return {
    session: storage.session,
    read: (from = 0) => process.call('read', async () => contentsFrom(from)),
    pick: (seqs) =>
      process.call('pick', async () => {
        const events = new Map<number, Event>()
        for (const group of storage.groups) for (const event of group) events.set(event.seq, event)
        return seqs.map((seq) => events.get(seq) ?? missing(seq))
      }),
    claim: (options) =>
      process.call('claim', async () => {
        if (storage.owner && !options.takeOver) throw inUse(storage)
        storage.token++
        storage.owner = { pid: storage.token, host: 'memory', renewedAt: 0, alive: true, ...urlOf(options) }
        wake(storage)
        const contents = contentsFrom(0)
        if (options.visit) contents.groups.forEach(options.visit)
        const lease = createMemoryLease(storage, process, options.visit ? { ...contents, groups: [] } : contents)
        release = lease.release
        return lease
      }),
    async changed(from, signal) {
      while (!signal.aborted && endOf(storage) <= from) await untilWoken(storage, signal)
    },
    owner: async () => storage.owner,
    async close() {
      await release?.()
    },
  }
}

const urlOf = ({ url }: { readonly url?: string }): { url?: string } => (url === undefined ? {} : { url })

const inUse = ({ owner }: MemoryStorage): TenonError =>
  new TenonError(
    { code: 'session_in_use', message: 'The session is held', action: 'Attach to its owner, or take over.' },
    { ...owner },
  )

function missing(seq: number): never {
  throw new TenonError(
    { code: 'log_damaged', message: `Event ${seq} is not in the log`, action: 'Run `tenon session verify`.' },
    { seq },
  )
}
