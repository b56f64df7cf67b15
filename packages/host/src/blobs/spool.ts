// Takes output of unknown length: small in memory, larger in temporary files of half the limit each. Of too long output
// only the first file and the newest two are kept, so the disk never holds more than one and a half times the limit.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { BlobSpool } from '@tenon/core'
import type { Blob } from '@tenon/protocol'
import type { AppendFile, Disk } from '../log/disk/disk.ts'
import { toStorageError } from '../log/disk/storage-error.ts'

export interface SpoolOptions {
  /** Bytes kept whole. */
  readonly limit: number
  readonly sync: boolean
  readonly put: (bytes: Uint8Array) => Promise<Blob>
  /** Makes a finished temporary file the blob of that hash. */
  readonly adopt: (sha256: string, bytes: number, temporary: string) => Promise<Blob>
}

/** Up to here nothing touches the disk before `finish`. */
const memoryBytes = 256 << 10
const copyBytes = 1 << 20

interface Part {
  readonly path: string
  readonly file: AppendFile
  size: number
}

export function createSpool(disk: Disk, dir: string, { limit, sync, put, adopt }: SpoolOptions): BlobSpool {
  const half = Math.floor(limit / 2)
  const prefix = join(dir, `spool-${globalThis.crypto.randomUUID()}`)
  let memory: Uint8Array[] = []
  let parts: Part[] = []
  let created = 0
  let total = 0

  async function addPart(): Promise<Part> {
    if (created === 0) await disk.makeDir(dir)
    const path = `${prefix}.${created++}`
    const part = { path, file: await disk.create(path), size: 0 }
    const [head, ...rest] = parts
    // The newest two full files always hold the last half; what lies between them and the head is the gap.
    if (head && rest.length > 1) await removePart(rest.shift())
    parts = head ? [head, ...rest, part] : [part]
    return part
  }

  async function removePart(part: Part | undefined): Promise<void> {
    await part?.file.close()
    if (part) await disk.remove(part.path)
  }

  async function toDisk(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const last = parts.at(-1)
      const part = last && last.size < half ? last : await addPart()
      const piece = bytes.subarray(at, at + half - part.size)
      await part.file.write(piece)
      part.size += piece.length
      at += piece.length
    }
  }

  /** Head, stated gap and tail (or all there is) as one file. */
  async function assemble(): Promise<Blob> {
    const target = `${prefix}.whole`
    const file = await disk.create(target)
    const hash = createHash('sha256')
    let size = 0
    const write = async (bytes: Uint8Array) => {
      hash.update(bytes)
      size += bytes.length
      await file.write(bytes)
    }
    try {
      for (const { path, from, to } of kept()) {
        if (from < 0) await write(Buffer.from(`\n[${total - half * 2} bytes left out]\n`))
        for (let at = Math.max(from, 0); at < to; at += copyBytes)
          await write(await disk.read(path, at, Math.min(copyBytes, to - at)))
      }
      if (sync) await file.sync()
      await file.close()
      return await adopt(hash.digest('hex'), size, target)
    } catch (error) {
      throw toStorageError(error, target, size)
    } finally {
      await file.close()
      await disk.remove(target)
    }
  }

  /** Byte ranges of the files to keep; a range from −1 stands for the gap and is followed by the tail. */
  function kept(): { path: string; from: number; to: number }[] {
    if (total <= half * 2) return parts.map(({ path, size }) => ({ path, from: 0, to: size }))
    const [head, ...rest] = parts
    const newest = rest.at(-1)
    const before = rest.at(-2)
    const missing = half - (newest?.size ?? 0)
    return [
      { path: head?.path ?? '', from: 0, to: half },
      { path: before?.path ?? '', from: -1, to: 0 },
      { path: before?.path ?? '', from: half - missing, to: half },
      { path: newest?.path ?? '', from: 0, to: newest?.size ?? 0 },
    ]
  }

  async function abandon(): Promise<void> {
    memory = []
    for (const part of parts.splice(0)) await removePart(part)
  }

  return {
    async write(chunk) {
      total += chunk.length
      if (parts.length === 0 && total <= memoryBytes && total <= half) {
        memory.push(Uint8Array.from(chunk))
        return
      }
      try {
        const held = memory
        memory = []
        for (const bytes of [...held, chunk]) await toDisk(bytes)
      } catch (error) {
        throw toStorageError(error, dir, chunk.length)
      }
    },
    async finish() {
      try {
        if (total === 0) return { blob: null, total }
        return { blob: parts.length === 0 ? await put(Buffer.concat(memory)) : await assemble(), total }
      } finally {
        await abandon()
      }
    },
    abandon,
  }
}
