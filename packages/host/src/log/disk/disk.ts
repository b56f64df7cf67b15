// The seam between the log and the file system: the few operations it relies on. Tests step through them one by one.

interface FileFacts {
  readonly size: number
  readonly mtimeMs: number
  readonly isDir: boolean
}

/** A file open for appending; every write goes to its end. */
export interface AppendFile {
  /** All bytes or an error; an error may leave any prefix of them behind. */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when content and size survive a power cut. After an error the handle is spent: nobody knows what is stored. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Failures are Node's own errors with `code`; `toStorageError` turns them into TenonErrors. */
export interface Disk {
  /** The names in a directory, in any order; none when it does not exist. */
  list(dir: string): Promise<readonly string[]>
  stat(path: string): Promise<FileFacts | undefined>
  /** With its parents, mode 0700. */
  makeDir(dir: string): Promise<void>
  /** Resolves when names created in, moved to or removed from the directory survive a power cut. */
  syncDir(dir: string): Promise<void>
  /** Creates exclusively, mode 0600. @throws EEXIST: the one primitive that fencing rests on */
  create(path: string): Promise<AppendFile>
  /** Opens an existing file. */
  append(path: string): Promise<AppendFile>
  /** Up to `length` bytes from `offset`; fewer only at the end of the file. @throws ENOENT */
  read(path: string, offset: number, length: number): Promise<Uint8Array>
  /** Atomic, replaces what is there. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file, or a directory with all that is in it; nothing there is no error. */
  remove(path: string): Promise<void>
  /** Calls `notice` after changes in the directory, as far as the system tells; nobody may rely on it alone. */
  watch(dir: string, notice: () => void): () => void
  /** Waits (ms) before something is tried again; part of the seam so that tests need not wait. */
  pause(ms: number): Promise<void>
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)

/** The whole of a small file, or `undefined` when it is not there. */
export async function readSmall(disk: Disk, path: string, limit = 1 << 26): Promise<Uint8Array | undefined> {
  const facts = await disk.stat(path)
  if (!facts || facts.isDir) return undefined
  try {
    return await disk.read(path, 0, Math.min(facts.size, limit))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Replaces a file in one step: whoever reads it sees the old bytes or the new ones. `durable`: they survive a power cut. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array, durable: boolean): Promise<void> {
  const temporary = `${path}.${globalThis.crypto.randomUUID().slice(0, 13)}.tmp`
  try {
    const file = await disk.create(temporary)
    try {
      await file.write(bytes)
      if (durable) await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(temporary, path)
  } catch (error) {
    await disk.remove(temporary).catch(() => undefined)
    throw error
  }
}
