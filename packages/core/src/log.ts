// Port: the append-only record of one session, and the lease that makes one process its writer.
import type { Event, SessionId } from '@tenon/protocol'

/** Events of one append: they are stored whole or not at all. */
export type Group = readonly Event[]

/** What a look at the log found wrong: the text names file, line and byte. */
export interface LogNotice {
  readonly kind: 'torn' | 'salvaged' | 'skipped' | 'unsettled' | 'gap'
  readonly text: string
}

export interface LogContents {
  readonly groups: readonly Group[]
  readonly notices: readonly LogNotice[]
  /** False when an acknowledged event is missing: reading goes on, running does not (`log_damaged`). */
  readonly whole: boolean
}

export interface Log {
  readonly session: SessionId
  /** Every whole record now in the log with seq ≥ `from`, in order. Takes no lease and waits for nobody. */
  read(from?: number): Promise<LogContents>
  /** The bodies of single events, in the order asked. Rejects with `log_damaged` when one cannot be read. */
  pick(seqs: readonly number[]): Promise<readonly Event[]>
  /**
   * Becomes the one writer. `url` is where other processes reach the owner.
   * @throws TenonError `session_in_use` (facts: pid, host, url, renewedAt) while a living owner holds it, unless `takeOver`.
   */
  claim(options: ClaimOptions): Promise<Lease>
  /** Resolves when events with seq ≥ `from` may be there (another process appended), or when the signal aborts. */
  changed(from: number, signal: AbortSignal): Promise<void>
  /** The owner's facts from the lease file, or `undefined` when nobody holds it. Never trusted for fencing. */
  owner(): Promise<LogOwner | undefined>
  close(): Promise<void>
}

export interface ClaimOptions {
  readonly url?: string
  readonly takeOver?: boolean
  /**
   * Gets every group in order, to fold and let go: `contents.groups` then stays empty, and a long log needs no memory.
   * It may throw; the claim then fails with what it threw.
   */
  readonly visit?: (group: Group) => void
}

export interface LogOwner {
  readonly pid: number
  readonly host: string
  readonly url?: string
  readonly renewedAt: number
  /** Whether the owner lives, as far as this machine can tell. */
  readonly alive: boolean
}

export interface Lease {
  /** The fencing token: the segment number of the file log. Every later owner has a higher one. */
  readonly token: number
  /** What the log held when the lease was taken, read after the claim: the state to start from. */
  readonly contents: LogContents
  /**
   * Resolves when the group is durable. Appends of one moment share one write and one sync, in call order.
   * @throws TenonError `lease_lost` (somebody took over: nothing of this call was acknowledged; the new owner may have
   * read it before it was refused, and then it is in the log; nothing of later calls is),
   * `storage_full`, `storage_readonly`, `storage_failed` (after retries with the same bytes).
   */
  append(group: Group): Promise<void>
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal
  release(): Promise<void>
}
