// Reading: stat, bytes by range, names in a folder.
import { constants, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FileStat } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { codeOf, onPath, toFileError } from './failure.ts'

export async function statPath(path: string): Promise<FileStat | null> {
  try {
    return toFileStat(await stat(resolve(path)))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw toFileError(error, path)
  }
}

const toFileStat = (found: Stats): FileStat => ({
  type: typeOf(found),
  size: found.size,
  modifiedAt: Math.floor(found.mtimeMs),
  mode: found.mode & 0o7777,
  links: found.nlink,
})

/** Whole, or the bytes of a range as far as they exist. Opened without waiting, so a pipe without a writer cannot hang. */
export async function readBytes(
  path: string,
  range?: { readonly offset: number; readonly length: number },
): Promise<Uint8Array> {
  return onPath(path, async () => {
    const file = await open(resolve(path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile()) throw notAFile(path, typeOf(found))
      if (!range) return await file.readFile()
      const bytes = Buffer.allocUnsafe(
        Math.max(0, Math.min(range.length, Math.max(found.size - range.offset, 1 << 16))),
      )
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, range.offset + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    } finally {
      await file.close()
    }
  })
}

export async function listFolder(
  path: string,
): Promise<readonly { readonly name: string; readonly type: FileStat['type'] | 'link' }[]> {
  return onPath(path, async () => {
    const entries = await readdir(resolve(path), { withFileTypes: true })
    return entries
      .map((entry) => ({ name: entry.name, type: entry.isSymbolicLink() ? ('link' as const) : typeOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  })
}

const typeOf = (entry: { isFile(): boolean; isDirectory(): boolean }): FileStat['type'] =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other'

export const notAFile = (path: string, type: FileStat['type']): TenonError =>
  new TenonError(
    {
      code: 'not_a_file',
      message: `${path} is ${type === 'folder' ? 'a folder' : 'a pipe, socket or device'}, not a file.`,
      action: type === 'folder' ? 'Name a file inside it.' : 'Use Bash if it must be read or written.',
    },
    { path, type },
  )
