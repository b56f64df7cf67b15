// The Blobs port over files: `<2 hex>/<sha256>` under the session's blobs folder, each written once and never changed.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Blobs } from '@tenon/core'
import type { Blob } from '@tenon/protocol'
import { TenonError } from '@tenon/protocol'
import type { Disk } from '../log/disk/disk.ts'
import { hasCode, replaceFile } from '../log/disk/disk.ts'
import { nodeDisk } from '../log/disk/node-disk.ts'
import { toReadError, toStorageError } from '../log/disk/storage-error.ts'
import { createQuota } from './quota.ts'
import { createSpool } from './spool.ts'

export interface FileBlobsOptions {
  readonly dir: string
  readonly disk?: Disk
  /** False: a power cut may take a blob that was just stored. */
  readonly sync?: boolean
  /** Bytes that all blobs of the session may hold together; 2 GiB. */
  readonly quota?: number
  /** Bytes that one spool keeps whole; 64 MiB. Of longer output it keeps the first and the last half of that. */
  readonly spoolBytes?: number
}

const defaultQuota = 2 * 2 ** 30
const defaultSpool = 64 << 20

export function createFileBlobs(options: FileBlobsOptions): Blobs {
  const { dir, disk = nodeDisk, sync = true, quota: limit = defaultQuota, spoolBytes = defaultSpool } = options
  const quota = createQuota(disk, dir, limit)
  const folderOf = (sha256: string) => join(dir, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256)

  /** Runs `write` unless equal content is there already. */
  async function storeOnce(sha256: string, bytes: number, write: (path: string) => Promise<void>): Promise<void> {
    const path = pathOf(sha256)
    if ((await disk.stat(path))?.size === bytes) return
    await quota.take(bytes)
    try {
      await disk.makeDir(folderOf(sha256))
      await write(path)
      // The event that names the blob must not survive a power cut that the blob does not.
      if (sync) await disk.syncDir(folderOf(sha256))
    } catch (error) {
      quota.give(bytes)
      throw toStorageError(error, path, bytes)
    }
  }

  async function put(bytes: Uint8Array, mime: string): Promise<Blob> {
    const sha256 = hashOf(bytes)
    await storeOnce(sha256, bytes.length, (path) => replaceFile(disk, path, bytes, sync))
    return { sha256, bytes: bytes.length, mime, ...linesOf(bytes, mime) }
  }

  return {
    put,
    async get(sha256, range) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw missing(sha256)
      const path = pathOf(sha256)
      try {
        const size = (await disk.stat(path))?.size
        if (size === undefined) throw missing(sha256)
        const { offset, length } = range ?? { offset: 0, length: size }
        const bytes = await disk.read(path, offset, Math.max(0, Math.min(length, size - offset)))
        if (bytes.length === size && hashOf(bytes) !== sha256) throw damaged(sha256, path)
        return bytes
      } catch (error) {
        throw hasCode(error, 'ENOENT') ? missing(sha256) : toReadError(error, path)
      }
    },
    spool: async (mime) =>
      createSpool(disk, dir, {
        limit: spoolBytes,
        sync,
        put: (bytes) => put(bytes, mime),
        adopt: async (sha256, bytes, temporary) => {
          await storeOnce(sha256, bytes, (path) => disk.rename(temporary, path))
          return { sha256, bytes, mime }
        },
      }),
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Lines of a text, the last one counted whether or not it is ended. */
function linesOf(bytes: Uint8Array, mime: string): { lines?: number } {
  if (!mime.startsWith('text/')) return {}
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++
  return { lines }
}

const missing = (sha256: string): TenonError =>
  new TenonError(
    { code: 'blob_missing', message: `Blob ${sha256} is not stored`, action: 'Run `tenon session verify`.' },
    { sha256 },
  )

const damaged = (sha256: string, path: string): TenonError =>
  new TenonError(
    {
      code: 'blob_damaged',
      message: `Blob ${sha256} has other content than its name says`,
      action: 'That content is lost; everything else of the session is not. Remove the file to store it afresh.',
    },
    { sha256, path },
  )
