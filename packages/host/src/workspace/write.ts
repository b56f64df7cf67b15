// Atomic replacement of a file: a reader sees the whole old or the whole new content, whatever happens.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileWrite } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { codeOf, onPath } from './failure.ts'
import { notAFile } from './files.ts'
import { resolveReal } from './real-path.ts'

/** A killed write leaves at most one of these beside its target. */
export const tempPrefix = '.tenon-tmp-'

export async function replaceFile(path: string, write: FileWrite): Promise<void> {
  await onPath(path, async () => {
    const real = await resolveReal(path)
    const found = await lstat(real).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    })
    if (found && !found.isFile()) throw notAFile(path, found.isDirectory() ? 'folder' : 'other')
    if (!found) await mkdir(dirname(real), { recursive: true })
    if (found && (found.mode & 0o222) === 0) throw readOnly(path)
    if (found && found.nlink > 1) return writeInPlace(path, real, write)
    await writeBeside(path, real, write, found && { mode: found.mode & 0o7777, uid: found.uid, gid: found.gid })
  })
}

type Kept = { readonly mode: number; readonly uid: number; readonly gid: number }

async function writeBeside(path: string, real: string, write: FileWrite, kept: Kept | null): Promise<void> {
  const folder = dirname(real)
  const temp = join(folder, `${tempPrefix}${basename(real).slice(0, 60)}-${randomBytes(6).toString('hex')}`)
  // A new file gets what the umask leaves; one that replaces another is private until it has that file's mode.
  const file = await open(temp, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, kept ? 0o600 : 0o666)
  try {
    try {
      if (kept) await keepOwner(file, kept)
      await file.writeFile(write.bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await compare(path, real, write.expect)
    await rename(temp, real)
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  }
  await syncFolder(folder)
}

async function keepOwner(file: FileHandle, kept: Kept): Promise<void> {
  const own = await file.stat()
  // Another owner cannot be kept without the right to give files away; the mode always can.
  if (own.uid !== kept.uid || own.gid !== kept.gid) await file.chown(kept.uid, kept.gid).catch(() => undefined)
  await file.chmod(kept.mode)
}

/** Every name of a hard-linked file must show the new text, so its one inode is rewritten. */
async function writeInPlace(path: string, real: string, write: FileWrite): Promise<void> {
  await compare(path, real, write.expect)
  const file = await open(real, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    await file.write(write.bytes, 0, write.bytes.length, 0)
    await file.truncate(write.bytes.length)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function compare(path: string, real: string, expect: Uint8Array | null): Promise<void> {
  const now = await readFile(real).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (now === null ? expect === null : expect !== null && now.equals(expect)) return
  const what = now === null ? 'is gone' : expect === null ? 'exists already' : 'was changed by someone else'
  throw new TenonError(
    {
      code: 'file_stale',
      message: `${path} ${what} since this write was decided.`,
      action: 'Read it and decide again.',
    },
    { path },
  )
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    // Some file systems cannot sync a folder; the rename itself is done.
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

const readOnly = (path: string): TenonError =>
  new TenonError(
    {
      code: 'read_only',
      message: `${path} is read-only: its mode has no write permission.`,
      action: 'Change its mode with Bash (chmod u+w) if it is meant to change.',
    },
    { path },
  )
