// The writer's side of the memory log: appends of one moment become durable together, under the newest token only.
import type { Group, Lease, LogContents } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { endOf, type MemoryStorage, untilWoken, wake } from './memory-storage.ts'
import type { LogProcess } from './process.ts'

/** Failed syncs in a row after which an append is refused; the same groups are tried again before that. */
const longestFailing = 4

interface Waiting {
  readonly group: Group
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export function createMemoryLease(storage: MemoryStorage, process: LogProcess, contents: LogContents): Lease {
  const { token, epoch } = storage
  const lost = new AbortController()
  let next = endOf(storage)
  let queue: Waiting[] = []
  let pumping: Promise<void> | undefined
  let released = false

  function requireHeld(): void {
    if (released) throw leaseLost('this process has released the session')
    if (storage.token === token) return
    if (!lost.signal.aborted) lost.abort(leaseLost('the session was taken over by another process'))
    throw lost.signal.reason
  }

  /** Everything of a process that a power cut ended stays undone for ever. */
  const ifPowered = (): Promise<void> => (storage.epoch === epoch ? Promise.resolve() : new Promise(() => undefined))

  async function sync(): Promise<void> {
    while (storage.held) {
      await untilWoken(storage)
      await ifPowered()
    }
    if (storage.failures === 0) return
    storage.failures--
    throw storageFailed()
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await process.call('write', async () => requireHeld())
        await process.call('sync', sync)
        break
      } catch (error) {
        if (!(error instanceof TenonError) || error.code !== 'storage_failed' || attempt === longestFailing) throw error
      }
    }
    await ifPowered()
    await process.call('publish', async () => {
      requireHeld()
      storage.groups.push(...batch.map(({ group }) => group))
    })
  }

  async function pump(): Promise<void> {
    await Promise.resolve()
    while (queue.length > 0) {
      const batch = queue
      queue = []
      try {
        await store(batch)
        for (const { resolve } of batch) resolve()
        wake(storage)
      } catch (reason) {
        for (const { reject } of [...batch, ...queue.splice(0)]) reject(reason)
        next = endOf(storage)
      }
    }
    pumping = undefined
  }

  const stop = new AbortController()
  void watchToken()

  /** Notices a new token as a renewal of a real lease would. */
  async function watchToken(): Promise<void> {
    while (!released && storage.token === token && storage.epoch === epoch) await untilWoken(storage, stop.signal)
    if (!released && storage.epoch === epoch && !lost.signal.aborted)
      lost.abort(leaseLost('the session was taken over by another process'))
  }

  return {
    token,
    contents,
    lost: lost.signal,
    async append(group) {
      await ifPowered()
      requireHeld()
      const ordered = group.every((event, index) => event.seq === next + index)
      if (group.length === 0 || !ordered) throw new Error(`append out of order: expected seq ${next}`)
      // Copied as a file would: whoever appended may change nothing afterwards.
      const copy: Group = JSON.parse(JSON.stringify(group))
      next += group.length
      const waiting = Promise.withResolvers<void>()
      queue.push({ group: copy, resolve: waiting.resolve, reject: waiting.reject })
      pumping ??= pump()
      return waiting.promise
    },
    async release() {
      await pumping
      if (released) return
      released = true
      stop.abort()
      if (storage.token === token && storage.epoch === epoch) storage.owner = undefined
      wake(storage)
    },
  }
}

const leaseLost = (why: string): TenonError =>
  new TenonError({ code: 'lease_lost', message: `Not stored: ${why}`, action: 'Open the session again.' })

const storageFailed = (): TenonError =>
  new TenonError({ code: 'storage_failed', message: 'The sync failed', action: 'Try again.', retryable: true })
