// A segment file on its writer's side: bytes go in whole, synced, or not at all as far as anybody is told.
import { TenonError } from '@tenon/protocol'
import type { AppendFile, Disk } from './disk/disk.ts'
import { isFull, isReadonly, toStorageError } from './disk/storage-error.ts'

/** Waits before the same lines are written again after a failure that may pass, in ms. */
const pauses = [50, 250, 1000]
const LF = 0x0a

export interface DurableFile {
  readonly path: string
  /** Bytes that are known to be stored. */
  size(): number
  /** True while nothing but the header is stored. */
  isFresh(): boolean
  /** Resolves when the lines are stored. @throws TenonError `storage_full`, `storage_readonly`, `storage_failed` */
  store(lines: Uint8Array): Promise<void>
  /** The text that a failed `store` left behind the stored bytes: readers may have seen its whole lines. */
  leftovers(): Promise<string>
  close(): Promise<void>
}

export interface DurableOptions {
  /** Whether a store waits for the device. */
  readonly sync: boolean
  /** Frees some space on a full disk; false when there is none to free. */
  readonly freeSpace: () => Promise<boolean>
}

/** @param opened the file as its creator holds it, with `start` bytes stored in it */
export function createDurableFile(
  disk: Disk,
  path: string,
  opened: AppendFile,
  start: number,
  { sync, freeSpace }: DurableOptions,
): DurableFile {
  let file: AppendFile | undefined = opened
  let size = start
  let closed = false

  /** What a failed sync left in the file cannot be trusted, nor removed: go on behind it, on a line of its own. */
  async function reopen(): Promise<{ readonly end: number; readonly lead: Uint8Array }> {
    if (closed) throw new Error(`${path} is closed`)
    const end = (await disk.stat(path))?.size ?? 0
    if (end < size) throw shorter(path, size, end)
    const last = end > size ? await disk.read(path, end - 1, 1) : new Uint8Array([LF])
    file = await disk.append(path)
    return { end, lead: last[0] === LF ? new Uint8Array() : new Uint8Array([LF]) }
  }

  async function write(lines: Uint8Array): Promise<void> {
    const { end, lead } = file ? { end: size, lead: new Uint8Array() } : await reopen()
    await file?.write(lead.length > 0 ? Buffer.concat([lead, lines]) : lines)
    if (sync) await file?.sync()
    size = end + lead.length + lines.length
  }

  async function discard(): Promise<void> {
    const spent = file
    file = undefined
    await spent?.close().catch(() => undefined)
  }

  return {
    path,
    size: () => size,
    isFresh: () => size === start,
    async store(lines) {
      for (let attempt = 0; ; ) {
        try {
          return await write(lines)
        } catch (error) {
          await discard()
          if (isFull(error) && (await freeSpace())) continue
          const pause = pauses[attempt++]
          if (isFull(error) || isReadonly(error) || error instanceof TenonError || pause === undefined)
            throw toStorageError(error, path, lines.length)
          await disk.pause(pause)
        }
      }
    },
    async leftovers() {
      const end = (await disk.stat(path))?.size ?? 0
      return end > size ? Buffer.from(await disk.read(path, size, end - size)).toString('utf8') : ''
    },
    async close() {
      closed = true
      await discard()
    },
  }
}

const shorter = (path: string, size: number, end: number): TenonError =>
  new TenonError(
    {
      code: 'storage_failed',
      message: `${path} has ${end} bytes where ${size} were stored`,
      action: 'Somebody cut the log: run `tenon session verify`.',
    },
    { path, size, end },
  )
