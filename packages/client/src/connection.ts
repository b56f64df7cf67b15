// One connection to a stream: frames until it ends, breaks, or stays silent for two and a half heartbeats.
import { type Frame, frame, TenonError } from '@tenon/protocol'
import { notOurs, toError } from './failure.ts'
import { createSseParser } from './sse.ts'
import type { Call, Transport } from './transport.ts'

const silentHeartbeats = 2.5
const defaultHeartbeatMs = 15_000

/**
 * Ends when the server closes. Unknown frames are skipped.
 * @throws TenonError of a failed answer, of an answer that is no event stream, `unreachable` when silent
 */
export async function* connect(transport: Transport, call: Call, signal: AbortSignal): AsyncGenerator<Frame> {
  const stop = new AbortController()
  const leave = () => stop.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const silence = createSilence(transport, stop)
  try {
    const response = await silence.during(transport.fetch({ ...call, signal: stop.signal }))
    if (!response.ok) throw await toError(response)
    const media = response.headers.get('content-type') ?? ''
    if (!media.startsWith('text/event-stream') || !response.body) {
      void response.body?.cancel().catch(() => {})
      throw notOurs(response, 'an event stream')
    }
    yield* read(response.body, silence)
  } finally {
    signal.removeEventListener('abort', leave)
    stop.abort()
  }
}

async function* read(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<Frame> {
  const parse = createSseParser()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await silence.during(reader.read())
      if (done) return
      for (const data of parse(value)) {
        const found = frame.safeParse(JSON.parse(data))
        if (!found.success) continue
        if (found.data.t === 'hello') silence.setHeartbeat(found.data.heartbeatMs)
        yield found.data
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

interface Silence {
  /** Waits for one arrival; rejects when it takes too long. Time that the reader of frames takes does not count. */
  during<T>(arrival: Promise<T>): Promise<T>
  setHeartbeat(ms: number): void
}

function createSilence({ clock }: Transport, stop: AbortController): Silence {
  let limit = silentHeartbeats * defaultHeartbeatMs
  let waitingSince: number | undefined
  let watching = false
  let fail = (_: TenonError) => {}

  /** At most one timer at a time, however many chunks arrive meanwhile. */
  const watch = async () => {
    if (watching) return
    watching = true
    while (waitingSince !== undefined && !stop.signal.aborted) {
      const at = waitingSince + limit
      if (clock.now() >= at) {
        fail(silent(limit))
        stop.abort()
        break
      }
      await clock.until(at, stop.signal).catch(() => {})
    }
    watching = false
  }

  return {
    setHeartbeat: (ms) => {
      limit = silentHeartbeats * ms
    },
    during: async (arrival) => {
      waitingSince = clock.now()
      const failed = new Promise<never>((_, reject) => {
        fail = reject
      })
      void watch()
      try {
        return await Promise.race([arrival, failed])
      } finally {
        waitingSince = undefined
      }
    },
  }
}

const silent = (ms: number): TenonError =>
  new TenonError({
    code: 'unreachable',
    message: `The server has been silent for ${ms / 1000} s.`,
    action: 'It is tried again; check whether the server hangs if this goes on.',
    retryable: true,
  })
