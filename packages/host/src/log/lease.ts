// The lease as its owner holds it: appends under the fence, a sign of life each 10 s, and the end of both.
import type { Lease, LogContents } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import type { Disk } from './disk/disk.ts'
import type { DurableFile } from './durable-file.ts'
import { createGroupCommit } from './group-commit.ts'
import type { LeaseRecord } from './lease-file.ts'
import { readLease, removeLease, writeLease } from './lease-file.ts'
import type { OwnSegments } from './own-segments.ts'

const renewMs = 10_000

export interface LeaseParts {
  readonly disk: Disk
  readonly dir: string
  readonly own: OwnSegments
  readonly file: DurableFile
  readonly record: LeaseRecord
  readonly contents: LogContents
  /** The first seq to come. */
  readonly next: number
  /** Size in bytes at which a segment is full. */
  readonly limit: number
  readonly stored: () => void
  readonly now: () => number
}

/** `stop` ends the sign of life without any wait. */
export type HeldLease = Lease & { stop(): void }

export function createLease(parts: LeaseParts): HeldLease {
  const { disk, dir, own, record } = parts
  const lost = new AbortController()
  let renewal = record.renewal
  let released: Promise<void> | undefined

  const commit = createGroupCommit({
    file: parts.file,
    next: parts.next,
    limit: parts.limit,
    stored: parts.stored,
    requireHeld,
    rollOver,
  })

  async function requireHeld(): Promise<void> {
    if (lost.signal.aborted) throw lost.signal.reason
    if (await own.isOvertaken()) throw await lose()
  }

  async function rollOver(from: number): Promise<DurableFile> {
    try {
      return await own.rollOver(from)
    } catch (error) {
      throw (await own.isOvertaken()) ? await lose() : error
    }
  }

  async function lose(): Promise<TenonError> {
    const taker = await readLease(disk, dir)
    const reason = leaseLost(taker?.owner === record.owner ? undefined : taker)
    stop()
    commit.end(reason)
    if (!lost.signal.aborted) lost.abort(reason)
    return reason
  }

  async function renew(): Promise<void> {
    if (await own.isOvertaken()) await lose()
    else await writeLease(disk, dir, { ...record, token: own.number(), renewal: ++renewal, renewedAt: parts.now() })
  }

  // A renewal that fails is tried again in 10 s: the file is only a hint, appends say what is wrong with the disk.
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
  timer.unref()
  const stop = () => clearInterval(timer)

  async function release(): Promise<void> {
    stop()
    await commit.idle()
    commit.end(leaseReleased())
    await commit.close()
    await removeLease(disk, dir, record.owner).catch(() => undefined)
  }

  return {
    token: record.token,
    contents: parts.contents,
    append: (group) => commit.append(group),
    lost: lost.signal,
    release: () => (released ??= release()),
    stop,
  }
}

function leaseLost(taker: LeaseRecord | undefined): TenonError {
  const who = taker ? `process ${taker.pid} on ${taker.host}` : 'another process'
  return new TenonError(
    {
      code: 'lease_lost',
      message: `The session was taken over by ${who}`,
      action: 'Nothing more is written here; attach to the new owner, or take the session over again.',
    },
    taker ? { pid: taker.pid, host: taker.host, url: taker.url } : {},
  )
}

const leaseReleased = (): TenonError =>
  new TenonError({
    code: 'lease_lost',
    message: 'This process has released the session',
    action: 'Open the session again.',
  })
