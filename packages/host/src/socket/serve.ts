// The owner's door for other processes of the same user: the server's handler on a Unix socket, 0600 in a 0700 folder.
import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { TenonError } from '@tenon/protocol'
import { prepareSocketPath, toSocketUrl } from './address.ts'
import { probeSocket } from './probe.ts'

type Handler = (request: Request) => Promise<Response>

export interface SocketServer {
  /** Where it really listens: a path that is too long has a short one in its place. */
  readonly path: string
  /** `http+unix://…` for the lease. */
  readonly url: string
  /** Stops listening, breaks off what is still open, removes the socket file. */
  close(): Promise<void>
}

/**
 * Serves until closed. A socket file that a dead process left is replaced.
 * @throws TenonError `busy` when a living process listens there, `path_invalid`, `not_granted`
 */
export async function serveSocket(handler: Handler, path: string): Promise<SocketServer> {
  const place = await prepareSocketPath(path)
  // Node drops the abort signal of a Request that nobody holds any more, though its answer still streams.
  const open = new Set<Request>()
  const server = createServer((incoming, outgoing) => {
    const left = new AbortController()
    const request = toRequest(incoming, left.signal)
    if (!request) return void outgoing.writeHead(400).end()
    open.add(request)
    outgoing.on('close', () => {
      left.abort()
      open.delete(request)
    })
    outgoing.on('error', () => left.abort())
    void answer(handler(request), outgoing, left.signal)
  })
  server.headersTimeout = 10_000
  await listen(server, place).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    if ((await probeSocket(place)) !== 'absent') throw taken(place)
    await rm(place, { force: true })
    await listen(server, place)
  })
  await chmod(place, 0o600)
  return {
    path: place,
    url: toSocketUrl(place),
    close: () =>
      new Promise((resolve) => {
        // Node removes the socket file when it stops listening.
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

async function answer(answering: Promise<Response>, outgoing: ServerResponse, left: AbortSignal): Promise<void> {
  try {
    const response = await answering
    outgoing.writeHead(response.status, [...response.headers].flat())
    if (response.body) await pipe(response.body, outgoing, left)
    outgoing.end()
  } catch {
    // The handler answers its own failures; what arrives here is a body that broke off. The reader sees a cut connection.
    outgoing.destroy()
  }
}

/** `undefined` for a target or a method that fetch has no words for. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const method = incoming.method ?? 'GET'
  const body =
    method === 'GET' || method === 'HEAD' ? {} : { body: ReadableStream.from(incoming), duplex: 'half' as const }
  try {
    return new Request(`http://tenon.local${incoming.url ?? '/'}`, { method, headers, signal, ...body })
  } catch {
    return undefined
  }
}

/** Pulls no further than the socket takes: a reader that stalls holds one chunk here. */
async function pipe(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, left: AbortSignal): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  left.addEventListener('abort', cancel, { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done || left.aborted) return
    if (!outgoing.write(value)) await drained(outgoing, left)
  }
}

const drained = (outgoing: ServerResponse, left: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done)
      left.removeEventListener('abort', done)
      resolve()
    }
    outgoing.once('drain', done)
    left.addEventListener('abort', done, { once: true })
    if (left.aborted) done()
  })

const taken = (path: string): TenonError =>
  new TenonError(
    {
      code: 'busy',
      message: `Another process listens on ${path}.`,
      action: 'Stop it, or choose another path.',
    },
    { path },
  )
