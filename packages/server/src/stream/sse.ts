// Frames as server-sent events, pulled one by one; a reader that takes nothing for 30 s is let go and resumes by cursor.
import type { Clock } from '@tenon/core'
import { bye, type FrameText } from './frames.ts'

const stallMs = 30_000

/** Over 2 KiB of comment pushes the first bytes through proxies that buffer. */
const opening = `retry: 1000\n:${' '.repeat(2048)}\n\n`

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** @param stop aborted when the reader leaves or stalls: it frees everything that the stream holds */
export function toEventStream(
  frames: AsyncGenerator<FrameText, void>,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortController },
): Response {
  const encoder = new TextEncoder()
  const encode = ({ text, id }: FrameText) =>
    encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`)
  // A generator that nobody pulls any more is ended by hand, so that it lets go of the session.
  stop.signal.addEventListener('abort', () => void frames.return().catch(() => {}), { once: true })
  let heldSince: number | undefined
  let watching = false

  /** At most one wait of 30 s at a time, however many frames go out meanwhile. */
  const watch = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (watching) return
    watching = true
    while (heldSince !== undefined && !stop.signal.aborted) {
      const at = heldSince + stallMs
      if (clock.now() >= at) {
        stop.abort()
        controller.enqueue(encode(bye('slow_consumer')))
        controller.close()
        break
      }
      await clock.until(at, stop.signal).catch(() => {})
    }
    watching = false
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        controller.enqueue(encoder.encode(opening))
        heldSince = clock.now()
        void watch(controller)
      },
      pull: async (controller) => {
        heldSince = undefined
        const next = await frames.next()
        if (next.done) {
          const left = stop.signal.aborted
          stop.abort()
          if (!left) controller.close()
          else controller.error(new DOMException('The stream was left.', 'AbortError'))
          return
        }
        controller.enqueue(encode(next.value))
        heldSince = clock.now()
        void watch(controller)
      },
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}
