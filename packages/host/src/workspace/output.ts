// Output of a process as an async iterable that holds the process back when nobody reads.
import type { Readable } from 'node:stream'

export interface Chunk {
  readonly stream: 'out' | 'err'
  readonly chunk: Uint8Array
}

/** Bytes waiting for a reader above which the pipes are no longer read. */
const highWater = 1 << 18
/** What a pipe can still hold when its writer exits. */
const pipeCapacity = 1 << 16
/** Milliseconds without data after which a pipe counts as empty. */
const idle = 15

/** Iterable once. Ends when every pipe has closed, or `drain` ms after `exited` with what the pipes then still held. */
export function createOutput(
  sources: readonly { readonly stream: Chunk['stream']; readonly source: Readable }[],
  exited: Promise<unknown>,
  drain: number,
): AsyncIterable<Chunk> {
  const queue: Chunk[] = []
  let waiting = 0
  let open = sources.length
  let left = Number.POSITIVE_INFINITY
  let idleTimer: NodeJS.Timeout | undefined
  let wake: (() => void) | undefined

  const notify = (): void => {
    wake?.()
    wake = undefined
  }
  const finish = (): void => {
    open = 0
    clearTimeout(idleTimer)
    for (const { source } of sources) source.destroy()
    notify()
  }
  /** After the drain: the end is near once the reader has caught up and nothing more comes. */
  const watchIdle = (): void => {
    clearTimeout(idleTimer)
    if (open > 0 && left !== Number.POSITIVE_INFINITY && waiting < highWater) idleTimer = setTimeout(finish, idle)
  }
  for (const { stream, source } of sources) {
    source.on('data', (chunk: Buffer) => {
      queue.push({ stream, chunk })
      waiting += chunk.length
      left -= chunk.length
      if (waiting >= highWater) for (const each of sources) each.source.pause()
      if (left <= 0) finish()
      else watchIdle()
      notify()
    })
    source.on('error', () => undefined)
    source.on('close', () => {
      if (open > 0 && --open === 0) finish()
    })
  }
  void exited.then(() =>
    setTimeout(() => {
      if (open === 0) return
      left = pipeCapacity * sources.length
      watchIdle()
    }, drain),
  )
  const take = (): Chunk | undefined => {
    const next = queue.shift()
    if (!next) return undefined
    waiting -= next.chunk.length
    if (waiting < highWater && open > 0) {
      for (const { source } of sources) source.resume()
      watchIdle()
    }
    return next
  }
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const next = take()
          if (next) yield next
          else if (open === 0) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        // A reader that leaves early wants no more; the process would else be held back for ever.
        finish()
      }
    },
  }
}
