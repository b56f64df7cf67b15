// The Blobs port in memory, under true hashes.
import { createHash } from 'node:crypto'
import type { Blobs } from '@tenon/core'
import { TenonError } from '@tenon/protocol'

export function createMemoryBlobs(): Blobs {
  const stored = new Map<string, Uint8Array>()
  const put = async (bytes: Uint8Array, mime: string) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    stored.set(sha256, Uint8Array.from(bytes))
    return { sha256, bytes: bytes.length, mime }
  }
  return {
    put,
    async get(sha256, range) {
      const bytes = stored.get(sha256)
      if (!bytes)
        throw new TenonError({ code: 'blob_missing', message: `No blob ${sha256}.`, action: 'Check the hash.' })
      return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes
    },
    async spool(mime) {
      const chunks: Uint8Array[] = []
      return {
        write: async (chunk) => void chunks.push(Uint8Array.from(chunk)),
        finish: async () => {
          const bytes = Buffer.concat(chunks)
          return { blob: bytes.length > 0 ? await put(bytes, mime) : null, total: bytes.length }
        },
        abandon: async () => undefined,
      }
    },
  }
}
