// The owner's socket, over real files and processes: streams, aborts, stale files, frozen owners.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromSocketUrl, toSocketUrl } from './address.ts'
import { socketFetch } from './fetch.ts'
import { probeSocket } from './probe.ts'
import { type SocketServer, serveSocket } from './serve.ts'

let folder: string
let path: string
const servers: SocketServer[] = []
const owners: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-socket-'))
  path = join(folder, 'run', 'a.sock')
})
afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function serve(handler: (request: Request) => Promise<Response>, at = path) {
  const server = await serveSocket(handler, at)
  servers.push(server)
  return server
}

async function startOwner(at = path): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./owner.fixture.ts', import.meta.url))
  const owner = spawn(process.execPath, [script, at], { stdio: ['ignore', 'pipe', 'inherit'] })
  owners.push(owner)
  await new Promise((resolve) => owner.stdout?.once('data', resolve))
  return owner
}

describe('the socket', () => {
  it('is private, has an address for the lease, and goes when closed', async () => {
    const server = await serve(async () => new Response('hi'))
    expect([statSync(path).mode & 0o777, statSync(join(folder, 'run')).mode & 0o777]).toEqual([0o600, 0o700])
    expect([server.path, fromSocketUrl(server.url), fromSocketUrl('http://x')]).toEqual([path, path, undefined])
    expect(fromSocketUrl(toSocketUrl('/a b/ü.sock'))).toBe('/a b/ü.sock')
    expect(await (await socketFetch(path)('http://x/')).text()).toBe('hi')
    await server.close()
    expect(existsSync(path)).toBe(false)
  })

  it('closes a folder that others could enter', async () => {
    chmodSync(folder, 0o755)
    await serve(async () => new Response('hi'), join(folder, 'b.sock'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('has a short path in place of one that the system cannot take', async () => {
    const server = await serve(async () => new Response('hi'), join(folder, 'x'.repeat(120), 'a.sock'))
    expect(server.path.length).toBeLessThan(60)
    expect(await (await socketFetch(server.path)('http://x/')).text()).toBe('hi')
  })

  it('passes method, query, headers and body on, and the answer back', async () => {
    await serve(async (request) => {
      const body = await request.text()
      const { pathname, search } = new URL(request.url)
      const text = `${request.method} ${pathname}${search} ${request.headers.get('x-a')} ${body}`
      return new Response(text, { status: 418, headers: { 'x-b': 'two' } })
    })
    const body = 'x'.repeat(300_000)
    const response = await socketFetch(path)('http://x/p?q=1', { method: 'POST', body, headers: { 'x-a': 'one' } })
    expect([response.status, response.headers.get('x-b')]).toEqual([418, 'two'])
    expect(await response.text()).toBe(`POST /p?q=1 one ${body}`)
  })

  it('streams upwards and answers without a body', async () => {
    await serve(async (request) => {
      const reader = request.body?.getReader()
      const first = await reader?.read()
      return first?.value ? new Response(null, { status: 204 }) : new Response('nothing')
    })
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('open end')),
    })
    const init = { method: 'POST', body, duplex: 'half' } as const
    expect((await socketFetch(path)('http://x/', init)).status).toBe(204)
  })

  it('holds one chunk for a reader that stalls, and notices when it leaves', async () => {
    let made = 0
    let left = false
    await serve(async (request) => {
      request.signal.addEventListener('abort', () => {
        left = true
      })
      const body = new ReadableStream<Uint8Array>(
        { pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(made++ % 256)) },
        { highWaterMark: 0 },
      )
      return new Response(body)
    })
    const leave = new AbortController()
    const response = await socketFetch(path)('http://x/', { signal: leave.signal })
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.[0]).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    // What the kernel and Node's own buffers hold, then nothing more.
    const held = made
    expect(held).toBeLessThan(40)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(made).toBe(held)
    leave.abort()
    await expect(async () => {
      for (;;) if ((await reader?.read())?.done) return
    }).rejects.toMatchObject({ name: 'AbortError' })
    await vi.waitFor(() => expect(left).toBe(true))
  })

  it('breaks off as fetch does when the owner ends in the middle', async () => {
    await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        pull: (controller) => controller.error(new Error('bug')),
      })
      return new Response(body)
    })
    await expect(socketFetch(path)('http://x/').then((response) => response.text())).rejects.toThrow(TypeError)
  })
})

describe('who is there', () => {
  it('replaces the file of a dead process, never that of a living one', async () => {
    const owner = await startOwner()
    owner.kill('SIGKILL')
    await new Promise((resolve) => owner.once('close', resolve))
    expect([existsSync(path), await probeSocket(path)]).toEqual([true, 'absent'])
    await expect(socketFetch(path)('http://x/')).rejects.toMatchObject({
      code: 'unreachable',
      failure: { retryable: true },
    })
    await serve(async () => new Response('new'))
    await expect(serveSocket(async () => new Response('other'), path)).rejects.toMatchObject({ code: 'busy' })
    expect(await (await socketFetch(path)('http://x/')).text()).toBe('new')
  })

  it('is told within 2 s that an owner is frozen, and gets on when it wakes', async () => {
    const owner = await startOwner()
    expect(await (await socketFetch(path)('http://x/a')).text()).toBe('here')
    owner.kill('SIGSTOP')
    const started = performance.now()
    await expect(socketFetch(path)('http://x/a')).rejects.toMatchObject({
      code: 'unreachable',
      failure: { retryable: false },
      facts: { presence: 'silent' },
    })
    expect(performance.now() - started).toBeLessThan(2_200)
    await expect(serveSocket(async () => new Response('other'), path)).rejects.toMatchObject({ code: 'busy' })
    owner.kill('SIGCONT')
    expect(await (await socketFetch(path)('http://x/a')).text()).toBe('here')
  })

  it('takes a slow answer of a living owner for what it is', async () => {
    await serve(async (request) => {
      if (!request.url.endsWith('/health/live')) await new Promise((resolve) => setTimeout(resolve, 2_300))
      return new Response('late')
    })
    expect(await (await socketFetch(path)('http://x/')).text()).toBe('late')
  })

  it('takes a file that is no socket, and a silent listener, for what they are', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await probeSocket(join(folder, 'file'))).toBe('absent')
    expect(await probeSocket(join(folder, 'none'))).toBe('absent')
    await serve(() => new Promise(() => {}))
    expect(await probeSocket(path, 100)).toBe('silent')
  })

  it('survives what is no HTTP', async () => {
    await serve(async () => new Response('fine'))
    for (const text of ['garbage', 'TRACE / HTTP/1.1\r\nHost: x', 'GET * HTTP/1.1\r\nHost: x']) {
      const raw = createConnection(path)
      raw.end(`${text}\r\n\r\n`)
      await new Promise((resolve) => raw.once('close', resolve).resume())
    }
    expect(await (await socketFetch(path)('http://x/')).text()).toBe('fine')
  })
})
