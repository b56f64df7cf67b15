// Appends of one moment become one write and one sync, acknowledged together: the only way into a segment.
import type { Group } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import type { DurableFile } from './durable-file.ts'
import { encodeLine } from './segment.ts'

export interface GroupCommit {
  /** In call order; see `Lease.append`. */
  append(group: Group): Promise<void>
  /** Ends it: everything that waits, and every later append, fails with `reason`. */
  end(reason: TenonError): void
  /** Resolves when nothing waits. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface GroupCommitOptions {
  readonly file: DurableFile
  /** The first seq to come. */
  readonly next: number
  /** @throws TenonError `lease_lost` when somebody else has claimed the log */
  readonly requireHeld: () => Promise<void>
  /** Opens the next segment, for events from `from` on. */
  readonly rollOver: (from: number) => Promise<DurableFile>
  readonly stored: () => void
  /** Size in bytes at which a segment is full. */
  readonly limit: number
}

interface Waiting {
  readonly first: number
  readonly count: number
  readonly line: string
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  let file = options.file
  let acknowledged = options.next
  let next = options.next
  let queue: Waiting[] = []
  let pumping: Promise<void> | undefined
  let ended: TenonError | undefined
  /** Lines that a failed write may have shown to readers, by first seq: only the same ones may follow. */
  let shown = new Map<number, string>()

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({ line }) => line).join(''))
    await options.requireHeld()
    if (!file.isFresh() && file.size() + bytes.length > options.limit) {
      const full = file
      file = await options.rollOver(acknowledged)
      await full.close()
    }
    await file.store(bytes)
    // Whoever claimed since may have read without these lines: then nobody is told that they are stored.
    await options.requireHeld()
    if (ended) throw ended
    acknowledged += batch.reduce((sum, { count }) => sum + count, 0)
    shown = new Map()
    for (const { resolve } of batch) resolve()
    options.stored()
  }

  async function fail(batch: readonly Waiting[], reason: unknown): Promise<void> {
    if (reason instanceof TenonError && reason.code === 'lease_lost') ended ??= reason
    else {
      const left = await file.leftovers().catch(() => undefined)
      // What cannot be read must be taken for shown.
      for (const { first, line } of batch) if (left?.includes(line) ?? true) shown.set(first, line)
    }
    const all = [...batch, ...queue]
    queue = []
    next = acknowledged
    for (const { reject } of all) reject(reason)
  }

  async function pump(): Promise<void> {
    // Appends of the same moment join the first.
    await Promise.resolve()
    while (queue.length > 0) {
      const batch = queue
      queue = []
      await commit(batch).catch((reason: unknown) => fail(batch, reason))
    }
    pumping = undefined
  }

  function check(group: Group): void {
    group.forEach((event, index) => {
      if (event.seq !== next + index) throw new Error(`append out of order: seq ${event.seq}, expected ${next + index}`)
    })
    if (group.length === 0) throw new Error('append of an empty group')
  }

  return {
    async append(group) {
      if (ended) throw ended
      check(group)
      const line = encodeLine(group)
      if ((shown.get(next) ?? line) !== line)
        throw new Error(`append after a failed one must repeat it: readers may have seen seq ${next}`)
      const waiting = Promise.withResolvers<void>()
      queue.push({ first: next, count: group.length, line, resolve: waiting.resolve, reject: waiting.reject })
      next += group.length
      pumping ??= pump()
      return waiting.promise
    },
    end(reason) {
      ended ??= reason
      for (const { reject } of queue.splice(0)) reject(reason)
    },
    idle: async () => pumping,
    close: () => file.close(),
  }
}
