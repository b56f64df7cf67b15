// What several memory logs of one session share: the durable groups, the newest token, who holds it.
import type { Group, LogOwner } from '@tenon/core'
import type { SessionId } from '@tenon/protocol'

export interface MemoryStorage {
  readonly session: SessionId
  readonly groups: Group[]
  /** Newest token given out. */
  token: number
  owner: LogOwner | undefined
  /** True: writes wait before they become durable. */
  held: boolean
  /** How many of the next syncs fail. */
  failures: number
  /** Counts power cuts: what was under way before one never ends. */
  epoch: number
  /** Called after the storage changed: wakes readers and those held back. */
  readonly wakers: Set<() => void>
}

export const createMemoryStorage = (session: SessionId): MemoryStorage => ({
  session,
  groups: [],
  token: 0,
  owner: undefined,
  held: false,
  failures: 0,
  epoch: 0,
  wakers: new Set(),
})

export function wake(storage: MemoryStorage): void {
  for (const waker of [...storage.wakers]) waker()
}

/** Resolves at the next `wake`, or when the signal aborts. */
export function untilWoken(storage: MemoryStorage, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      storage.wakers.delete(done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    storage.wakers.add(done)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}

/** One more than the highest seq stored. */
export const endOf = (storage: MemoryStorage): number => (storage.groups.at(-1)?.at(-1)?.seq ?? -1) + 1
