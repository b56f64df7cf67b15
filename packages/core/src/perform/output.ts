// A call's raw output: whole into a blob, live to whoever listens, at most every 50 ms or 8 KiB.
import type { CallRef, Live } from '@tenon/protocol'
import type { BlobSpool, Blobs } from '../blobs.ts'
import type { Clock } from '../clock.ts'
import type { Output } from '../tool.ts'

const liveMs = 50
const liveChars = 8 * 1024
const progressMs = 100

export interface OutputSink extends Output {
  /** Drops what was not finished. */
  abandon(): Promise<void>
}

export function createOutput(ref: CallRef, blobs: Blobs, clock: Clock, emit: (fragment: Live) => void): OutputSink {
  let spool: Promise<BlobSpool> | undefined
  let pending = { out: '', err: '' }
  const decoders = { out: new TextDecoder(), err: new TextDecoder() }
  let n = 0
  let lastAt = 0
  let progressAt = 0
  const flush = () => {
    for (const stream of ['out', 'err'] as const) {
      if (pending[stream]) emit({ type: 'tool.output', ref, stream, text: pending[stream], n: n++ })
    }
    pending = { out: '', err: '' }
    lastAt = clock.now()
  }
  return {
    async write(chunk, stream = 'out') {
      pending[stream] += decoders[stream].decode(chunk, { stream: true })
      if (pending[stream].length >= liveChars || clock.now() - lastAt >= liveMs) flush()
      spool ??= blobs.spool('text/plain')
      await (await spool).write(chunk)
    },
    progress(text, done, total) {
      if (clock.now() - progressAt < progressMs) return
      progressAt = clock.now()
      emit({
        type: 'tool.progress',
        ref,
        text,
        ...(done !== undefined && { done }),
        ...(total !== undefined && { total }),
      })
    },
    async finish() {
      flush()
      const open = spool
      spool = undefined
      return open ? (await open).finish() : { blob: null, total: 0 }
    },
    async abandon() {
      if (spool) await (await spool).abandon()
    },
  }
}
