// The real file system. Calls that only touch cached metadata are synchronous inside: microseconds, where a trip through
// the thread pool costs a hundred; reads and syncs, which may wait for a device, go through the pool.
import * as fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { AppendFile, Disk } from './disk.ts'
import { hasCode } from './disk.ts'

const { constants } = fs
const datasync = promisify(fs.fdatasync)
const readAsync = promisify(fs.read)
const fsyncAsync = promisify(fs.fsync)
const appending = constants.O_WRONLY | constants.O_APPEND

export const nodeDisk: Disk = {
  list: async (dir) => orWhenMissing(() => fs.readdirSync(dir), []),
  stat: async (path) => {
    const found = fs.statSync(path, { throwIfNoEntry: false })
    return found && { size: found.size, mtimeMs: found.mtimeMs, isDir: found.isDirectory() }
  },
  makeDir: async (dir) => void fs.mkdirSync(dir, { recursive: true, mode: 0o700 }),
  syncDir: async (dir) => {
    const handle = fs.openSync(dir, constants.O_RDONLY)
    try {
      await fsyncAsync(handle)
    } finally {
      fs.closeSync(handle)
    }
  },
  create: async (path) => openFile(path, appending | constants.O_CREAT | constants.O_EXCL),
  append: async (path) => openFile(path, appending),
  read: readRange,
  rename: async (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.promises.rm(path, { recursive: true, force: true }),
  watch,
  pause,
}

function openFile(path: string, flags: number): AppendFile {
  const handle = fs.openSync(path, flags, 0o600)
  let open = true
  return {
    write: async (bytes) => {
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(handle, bytes, at)
    },
    sync: () => datasync(handle),
    close: async () => {
      if (!open) return
      open = false
      fs.closeSync(handle)
    },
  }
}

async function readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = fs.openSync(path, constants.O_RDONLY)
  try {
    // Not more than there is: most reads ask for a megabyte and find a line.
    const available = Math.max(0, Math.min(length, fs.fstatSync(handle).size - offset))
    const buffer = Buffer.allocUnsafeSlow(available)
    let filled = 0
    while (filled < available) {
      const { bytesRead } = await readAsync(handle, buffer, filled, available - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } finally {
    fs.closeSync(handle)
  }
}

function watch(dir: string, notice: () => void): () => void {
  try {
    const watcher = fs.watch(dir, { persistent: false }, notice)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    // No such directory yet, or no watches left: the poll does the work.
    return () => undefined
  }
}

function orWhenMissing<T>(act: () => T, otherwise: T): T {
  try {
    return act()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise
    throw error
  }
}
