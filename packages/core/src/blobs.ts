// Port: content stored under its SHA-256 beside a session's log.
import type { Blob } from '@tenon/protocol'

export interface Blobs {
  /** Atomic: temp, sync, rename. Equal content is stored once. @throws TenonError `quota_exceeded`, `storage_full` */
  put(bytes: Uint8Array, mime: string): Promise<Blob>
  /** Bytes `offset` to `offset + length` of the blob, hash-checked when read whole. @throws TenonError `blob_missing`, `blob_damaged` */
  get(sha256: string, range?: { readonly offset: number; readonly length: number }): Promise<Uint8Array>
  /** A sink for output of unknown length: kept whole to 64 MiB, above it the first and last 32 MiB with the gap stated. */
  spool(mime: string): Promise<BlobSpool>
}

export interface BlobSpool {
  write(chunk: Uint8Array): Promise<void>
  /** Stores what was written; `total` counts every byte ever written. `blob` is null when nothing was. */
  finish(): Promise<{ readonly blob: Blob | null; readonly total: number }>
  abandon(): Promise<void>
}
