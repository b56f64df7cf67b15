// A scripted model server on loopback that speaks providers' real wire formats, with every fault they are known for.
// Behind `tenon dev model-server FILE`; tests of adapters run against it over real HTTP.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './answer.ts'
import type { ModelServerOptions, RecordedRequest } from './options.ts'

export interface ModelServer {
  /** What goes into `baseUrl`: `http://127.0.0.1:PORT/v1` (google: see `origin`). */
  readonly url: string
  /** `http://127.0.0.1:PORT`; each wire format is served on its natural path below it. */
  readonly origin: string
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** Ends open streams too. */
  close(): Promise<void>
}

/**
 * The turn that a request gets is the number of replies it holds; how often a turn failed is counted here.
 * @throws Error with `code` EADDRINUSE or EACCES when it cannot listen
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const broken = new Map<number, number>()
  const served = new Map<string, Set<number>>()
  const server = createServer((request, response) => {
    answer({ options, requests, broken, served }, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
