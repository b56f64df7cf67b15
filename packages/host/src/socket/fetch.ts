// A small fetch over a Unix socket, which Node's own fetch cannot reach. A frozen owner is noticed within two seconds.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { TenonError } from '@tenon/protocol'
import { probeSocket } from './probe.ts'

/** Silence before the owner is asked whether it lives, and how long it may take to say so, in ms. */
const patienceMs = 500
const probeMs = 1400
/** While a held request waits (`Prefer: wait`), the owner is asked this often. */
const againMs = 15_000

/**
 * Fetches over the socket at `path`; host and port of the address mean nothing. Bodies stream both ways, aborts are obeyed.
 * Rejects with TenonError `unreachable` when nobody listens (retryable) or the owner is silent (not), with a TypeError
 * as fetch does when a connection breaks off.
 */
export function socketFetch(path: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const sent = send(path, request)
    const leave = () => sent.destroy(abortError(request.signal))
    request.signal.addEventListener('abort', leave, { once: true })
    const stopWatching = watchOwner(path, (error) => sent.destroy(error))
    try {
      const incoming = await answered(sent, path)
      incoming.once('close', () => request.signal.removeEventListener('abort', leave))
      return toResponse(incoming, request)
    } catch (error) {
      request.signal.removeEventListener('abort', leave)
      throw error
    } finally {
      stopWatching()
    }
  }
}

function send(path: string, request: Request): ClientRequest {
  const { pathname, search } = new URL(request.url)
  const sent = httpRequest({
    socketPath: path,
    path: pathname + search,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    // A fresh connection costs less than the race with an idle one that the owner just closed.
    agent: false,
  })
  void upload(request, sent)
  return sent
}

async function upload(request: Request, sent: ClientRequest): Promise<void> {
  try {
    for await (const chunk of request.body ?? []) {
      if (!sent.write(chunk)) await new Promise((resolve) => sent.once('drain', resolve).once('close', resolve))
      if (sent.destroyed) return
    }
    sent.end()
  } catch (error) {
    sent.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * Asks beside a request that has no answer yet whether its owner still lives; `gone` is told when not.
 * @returns stops asking
 */
function watchOwner(path: string, gone: (error: TenonError) => void): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const ask = async () => {
    const presence = await probeSocket(path, probeMs)
    if (stopped) return
    if (presence === 'silent') gone(silent(path))
    else timer = setTimeout(ask, againMs)
  }
  timer = setTimeout(ask, patienceMs)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

function answered(sent: ClientRequest, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const absent = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
      if (error instanceof TenonError || error.name === 'AbortError') reject(error)
      else reject(absent ? nobody(path) : new TypeError('fetch failed', { cause: error }))
    })
  })
}

const bodiless = [204, 205, 304]

function toResponse(incoming: IncomingMessage, request: Request): Response {
  const status = incoming.statusCode ?? 502
  const headers = new Headers()
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '')
  }
  if (bodiless.includes(status) || request.method === 'HEAD') {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  return new Response(toBody(incoming, request), { status, headers })
}

/** Holds the Request: Node drops the abort signal of one that nobody holds. */
function toBody(incoming: IncomingMessage, request: Request): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(new Uint8Array(value))
        } catch (error) {
          throw request.signal.aborted ? abortError(request.signal) : new TypeError('terminated', { cause: error })
        }
      },
      cancel: () => void incoming.destroy(),
    },
    { highWaterMark: 0 },
  )
}

const abortError = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('This operation was aborted.', 'AbortError')

const nobody = (path: string): TenonError =>
  new TenonError(
    {
      code: 'unreachable',
      message: `Nobody listens on ${path}.`,
      action: 'Its owner is gone; open the session here instead.',
      retryable: true,
    },
    { path, presence: 'absent' },
  )

const silent = (path: string): TenonError =>
  new TenonError(
    {
      code: 'unreachable',
      message: `The process behind ${path} does not answer: it is stopped or hangs.`,
      action: 'Let it go on (SIGCONT), end it, or take the session over with --take-over.',
    },
    { path, presence: 'silent' },
  )
