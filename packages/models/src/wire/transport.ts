// HTTP for model calls: node:http in place of the global fetch, because it shows when the connection stands (the limits
// differ before and after), has no total limit of its own, and loads 10 ms faster.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { ModelFailure } from '@tenon/core'
import { toModelFailure } from '../failure/provider-error.ts'
import type { StreamLimits } from './limits.ts'

export interface Transport {
  readonly provider: string
  readonly limits: StreamLimits
  now(): number
}

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface Answer {
  readonly contentType: string
  /** Throws ModelFailure `stalled` or `connection`, or the signal's reason. Leaving it early closes the socket. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** More than any reply: beyond it the stream is taken for garbage. */
const maxReplyBytes = 64 * 1024 * 1024
const maxErrorBytes = 64 * 1024

/** Posts and returns a 2xx answer. @throws ModelFailure for any other, for no connection and for none in time */
export async function post(transport: Transport, { url, headers, body, signal }: Post): Promise<Answer> {
  signal.throwIfAborted()
  const { request: open } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const request = open(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } })
  // The reason travels with the socket's end, so that whoever reads gets it.
  const abort = () => request.destroy(toError(signal.reason))
  signal.addEventListener('abort', abort, { once: true })
  const forget = () => signal.removeEventListener('abort', abort)
  try {
    request.end(body)
    const response = await responseOf(request, transport, new URL(url))
    const bytes = bytesOf(response, request, transport, forget)
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return { contentType: response.headers['content-type'] ?? '', bytes }
    const text = await readHead(bytes, maxErrorBytes)
    const { provider, now } = transport
    throw toModelFailure(parsed(text), { provider, status, headers: response.headers, now: now() })
  } catch (error) {
    forget()
    signal.throwIfAborted()
    throw error
  }
}

function responseOf(request: ClientRequest, { limits, provider }: Transport, { host }: URL): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const limit = (ms: number, what: string) => {
    clearTimeout(timer)
    timer = setTimeout(
      () => request.destroy(new ModelFailure('timeout', `${provider} (${host}) ${what} in ${ms / 1000} s.`)),
      ms,
    )
  }
  limit(limits.connect, 'did not accept the connection')
  const connected = () => limit(limits.firstByte, 'did not begin to answer')
  request.on('socket', (socket) => {
    if (!socket.connecting) return connected()
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
  })
  request.once('response', resolve)
  // Stays for the whole life of the request: an unheard `error` would end the process.
  request.on('error', (error) => reject(toFailure(error, `Cannot reach ${provider} at ${host}`)))
  return promise.finally(() => clearTimeout(timer))
}

async function* bytesOf(
  response: IncomingMessage,
  request: ClientRequest,
  { limits, provider }: Transport,
  forget: () => void,
): AsyncGenerator<Uint8Array> {
  const stalled = () => {
    response.destroy(new ModelFailure('stalled', `${provider} sent nothing for ${limits.idle / 1000} s.`))
  }
  let timer = setTimeout(stalled, limits.idle)
  let total = 0
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      // The reader's own time is not the provider's silence.
      clearTimeout(timer)
      total += chunk.length
      if (total > maxReplyBytes) throw new ModelFailure('server', `${provider} sent more than ${maxReplyBytes} bytes.`)
      yield chunk
      timer = setTimeout(stalled, limits.idle)
    }
  } catch (error) {
    throw toFailure(error, `The connection to ${provider} was cut`)
  } finally {
    clearTimeout(timer)
    forget()
    if (!response.complete) request.destroy()
  }
}

async function readHead(bytes: AsyncIterable<Uint8Array>, cap: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of bytes) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > cap) break
    }
  } catch {
    // The status already says that it failed; a body that breaks off says no more.
  }
  return text
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toFailure(error: unknown, what: string): Error {
  if (error instanceof ModelFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const why = code ?? (error instanceof Error ? error.message : String(error))
  return new ModelFailure('connection', `${what} (${why}).`)
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
