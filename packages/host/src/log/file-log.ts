// The Log port over a directory of segment files. Reading never waits for anybody; claiming makes one process the writer.
import type { Group, Log, LogContents } from '@tenon/core'
import type { SessionId } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import { createChain } from './chain.ts'
import { createChanges } from './changes.ts'
import { claimSegment, sessionInUse } from './claim.ts'
import type { Disk } from './disk/disk.ts'
import { nodeDisk } from './disk/node-disk.ts'
import { releaseReserve } from './disk/reserve.ts'
import { toReadError } from './disk/storage-error.ts'
import type { HeldLease } from './lease.ts'
import { createLease } from './lease.ts'
import type { LeaseRecord } from './lease-file.ts'
import { readLease, removeLease, toOwner } from './lease-file.ts'
import type { OwnSegments } from './own-segments.ts'
import { createOwnSegments } from './own-segments.ts'
import type { ProcessFacts } from './owner.ts'
import { ownFacts } from './owner.ts'
import { createReader } from './reader.ts'

export interface FileLogOptions {
  readonly session: SessionId
  readonly dir: string
  readonly disk?: Disk
  /** False: a power cut may take what was acknowledged, kill -9 does not. */
  readonly sync?: boolean
  /** File that is given up when the disk is full. */
  readonly reserve?: string
  /** Size in bytes at which the next segment is begun; 64 MiB. */
  readonly segmentBytes?: number
  /** Bytes a read asks for; 1 MiB. */
  readonly chunkBytes?: number
  /** Who this process says it is. */
  readonly own?: ProcessFacts
  /** Milliseconds UTC, for people who read the lease file. */
  readonly now?: () => number
}

const fullSegment = 64 << 20

export function createFileLog(options: FileLogOptions): Log {
  const { session, dir, disk = nodeDisk, sync = true, own = ownFacts(), now = Date.now } = options
  const reader = createReader(disk, createChain(disk, dir, options.chunkBytes))
  const changes = createChanges(disk, dir)
  let lease: HeldLease | undefined
  const freeSpace = () => releaseReserve(disk, options.reserve)

  /** Reads what the segments below hold, then writes the header: from here on the log is this lease's. */
  async function begin(segments: OwnSegments, record: LeaseRecord, visit?: (group: Group) => void): Promise<HeldLease> {
    const groups: Group[] = []
    const take = visit ?? ((group: Group) => void groups.push(group))
    const { look, ...found } = await reader.visit(0, take, record.token).catch(failRead)
    const contents = { ...found, groups }
    const after = look.links.at(-1)?.segment.number ?? 0
    const file = await segments.begin(look.end, after)
    if (await segments.isOvertaken()) {
      await file.close()
      throw await overtaken()
    }
    const { segmentBytes: limit = fullSegment } = options
    const stored = changes.wake
    return createLease({ disk, dir, own: segments, file, record, contents, next: look.end, limit, stored, now })
  }

  const failRead = (error: unknown): never => {
    throw toReadError(error, dir)
  }

  async function overtaken(): Promise<TenonError> {
    const taker = await readLease(disk, dir)
    if (taker) return sessionInUse(taker, own)
    return new TenonError({
      code: 'session_in_use',
      message: 'Another process took the session at the same moment',
      action: 'Try again.',
      retryable: true,
    })
  }

  return {
    session,
    async read(from = 0): Promise<LogContents> {
      const groups: Group[] = []
      const { notices, whole } = await reader.visit(from, (group) => void groups.push(group)).catch(failRead)
      return { groups, notices, whole }
    },
    pick: (seqs) => reader.pick(seqs).catch(failRead),
    async claim(claimOptions) {
      const segments = createOwnSegments(disk, dir, session, { sync, freeSpace })
      const record = await claimSegment({ disk, dir, own, now }, segments, claimOptions)
      try {
        lease = await begin(segments, record, claimOptions.visit)
        return lease
      } catch (error) {
        await removeLease(disk, dir, record.owner).catch(() => undefined)
        throw error
      }
    },
    changed: (from, signal) =>
      changes.wait(from, async () => reader.seen() ?? (await reader.visit(from, () => undefined)).look, signal),
    async owner() {
      const record = await readLease(disk, dir)
      return record && toOwner(record, own)
    },
    async close() {
      lease?.stop()
      changes.close()
      await lease?.release()
    },
  }
}
