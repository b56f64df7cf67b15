// Another process of the same user: the typed client over the owner's real socket.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type StreamItem } from '@tenon/client'
import { serveSocket, socketFetch } from '@tenon/host'
import { createMemorySession, createMemorySource, createTestClock, openedDraft } from '@tenon/testkit'
import { afterEach, expect, it, vi } from 'vitest'
import { createHandler } from './handler.ts'
import { createRegistry } from './registry.ts'

const id = 'ses_one'
const folder = mkdtempSync(join(tmpdir(), 'tenon-server-'))
const path = join(folder, 'a.sock')
const leave = new AbortController()
afterEach(() => {
  leave.abort()
  rmSync(folder, { recursive: true, force: true })
})

it('sends, follows, survives a restart of the socket, and frees the owner when it leaves', async () => {
  const source = createMemorySource()
  const session = createMemorySession({ id })
  session.append(openedDraft(id))
  source.sessions.set(id, session)
  const sessions = createRegistry(source)
  const clock = createTestClock()
  const handler = createHandler({ sessions, info: { version: '0', pid: process.pid }, clock, actor: 'me' })
  let server = await serveSocket(handler, path)
  const one = new Client({ kind: 'tui', fetch: socketFetch(path) }).session(id)
  const items: StreamItem[] = []
  const seqs = () => items.flatMap((item) => (item.t === 'events' ? item.events.map(({ seq }) => seq) : []))
  const done = (async () => {
    for await (const item of one.stream({ after: -1, signal: leave.signal })) items.push(item)
  })()
  await vi.waitFor(() => expect(seqs()).toEqual([0]))
  expect((await one.send('hello')).seq).toEqual([1, 2])
  await vi.waitFor(() => expect(seqs()).toEqual([0, 1, 2]))
  expect((await session.read(1, 1))[0]).toMatchObject({ actor: 'me', client: 'tui' })

  await server.close()
  const sending = one.send('while nobody listens')
  await new Promise((resolve) => setTimeout(resolve, 100))
  server = await serveSocket(handler, path)
  expect((await sending).seq).toEqual([3, 4])
  await vi.waitFor(() => expect(seqs()).toEqual([0, 1, 2, 3, 4]), { timeout: 5000 })
  expect(items.filter(({ t }) => t === 'retrying').length).toBeGreaterThan(0)

  await clock.advance(20_000)
  expect(session.answerers()).toBe(1)
  leave.abort()
  await done
  await clock.advance(20_000)
  await vi.waitFor(() => expect(session.answerers()).toBe(0))
  await server.close()
})
