import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Group } from '@tenon/core'
import type { EventOf, SessionId, SessionSummary } from '@tenon/protocol'
import { logEvent, logGroup } from '@tenon/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeDisk } from '../log/disk/node-disk.ts'
import { makeTestDir } from '../log/testing/file-world.ts'
import { createPlaces } from './places.ts'
import type { SessionStore, StoredSession } from './session-store.ts'
import { createSessionStore } from './session-store.ts'

let data: string
let store: SessionStore
beforeEach(async () => {
  data = await makeTestDir()
  store = createSessionStore({ data })
})
afterEach(() => nodeDisk.remove(data))

const opened = (session: SessionId, project: string, title: string, at: number): EventOf<'session.opened'> => ({
  v: 1,
  seq: 0,
  id: `ev_${session}`,
  parent: null,
  at,
  by: 'person',
  type: 'session.opened',
  session,
  cwd: project,
  project,
  title,
  agent: 'default',
  model: 'demo',
  mode: 'default',
  tags: {},
  host: { os: 'linux', version: '0' },
})

/** A stored session whose owner is gone: the first event and what follows. */
async function fill(
  id: SessionId,
  title: string,
  at: number,
  groups: readonly Group[] = [],
  project = '/work/shop',
): Promise<StoredSession> {
  const session = await store.create(id, project)
  const lease = await session.log.claim({})
  for (const group of [[opened(id, project, title, at)], ...groups]) await lease.append(group)
  await session.log.close()
  return session
}

const summaryOf = (id: SessionId, title: string, updatedAt: number): SessionSummary => ({
  id,
  title,
  cwd: '/work/shop',
  project: '/work/shop',
  status: 'done',
  seq: 0,
  openedAt: 1,
  updatedAt,
  model: 'demo',
  agent: 'default',
  mode: 'default',
  cost: { nanoUsd: 5, unpriced: 0 },
  asks: 0,
})
const titles = async (query = {}) => (await store.list(query)).items.map(({ title }) => title)
const index = () => join(data, 'sessions', 'index.json')

describe('layout', () => {
  test('a session lies under its project, readable and unique, private, with a reserve beside', async () => {
    const { dir } = await store.create('ses_a', '/home/me/My Shop!')
    expect(dir).toMatch(/sessions\/my-shop-[0-9a-f]{12}\/ses_a$/)
    expect((await store.create('ses_b', '/other/My Shop!')).dir).not.toContain(dir.slice(0, -6))
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(data, 'sessions', 'reserve'))).size).toBe(1 << 20)
  })

  test('an id is used once, in whatever project, and never leaves its directory', async () => {
    await fill('ses_a', 'a', 1, [], '/one')
    await expect(store.create('ses_a', '/one')).rejects.toMatchObject({ code: 'id_taken' })
    await expect(store.create('ses_a', '/two')).rejects.toMatchObject({ code: 'id_taken' })
    for (const id of ['ses_', 'ses_../../x', 'ses_a/b', 'ses_a\0'] as const)
      await expect(store.create(id, '/one')).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('a session made by a process that ended before its first event may be made again', async () => {
    await store.create('ses_a', '/one')
    expect((await store.create('ses_a', '/one')).id).toBe('ses_a')
    await expect(store.create('ses_a', '/two')).rejects.toMatchObject({ code: 'id_taken' })
  })

  test('log and blobs of one session share its directory', async () => {
    const { dir, log, blobs } = await store.create('ses_a', '/one')
    await (await log.claim({})).append(logGroup(0, 1))
    await blobs.put(Buffer.from('x'), 'text/plain')
    expect((await readdir(dir)).sort()).toEqual(['0001.jsonl', 'blobs', 'lease.json'])
    expect((await (await store.find('ses_a')).log.read()).groups).toEqual([logGroup(0, 1)])
  })

  test('with sync memory nothing reaches the disk', async () => {
    const memory = createSessionStore({ data, sync: 'memory' })
    const { log, blobs } = await memory.create('ses_m', '/one')
    await (await log.claim({})).append([opened('ses_m', '/one', 'gone', 1)])
    const blob = await blobs.put(Buffer.from('x'), 'text/plain')
    expect((await blobs.get(blob.sha256)).length).toBe(1)
    expect((await memory.list()).items.map(({ id }) => id)).toEqual(['ses_m'])
    expect(await readdir(data)).toEqual([])
  })
})

describe('find', () => {
  beforeEach(async () => {
    await fill('ses_01aaaa1', 'Fix the till', 10)
    await fill('ses_01aaaa2', 'Fix the door', 30)
    await fill('ses_01bbbb3', 'Paint', 20, [], '/work/other')
    await fill('ses_01bbbb4', 'Paint', 15)
  })

  test.each([
    ['ses_01aaaa1', 'ses_01aaaa1'],
    ['01aaaa2', 'ses_01aaaa2'],
    ['ses_01bbbb3', 'ses_01bbbb3'],
    ['Fix the door', 'ses_01aaaa2'],
    ['last', 'ses_01aaaa2'],
  ])('"%s" is %s', async (text, id) => {
    expect((await store.find(text)).id).toBe(id)
  })

  test('within a project a title or a prefix may tell what it does not tell among all', async () => {
    expect((await store.find('Paint', { project: '/work/shop' })).id).toBe('ses_01bbbb4')
    expect((await store.find('01bb', { project: '/work/other' })).id).toBe('ses_01bbbb3')
    expect((await store.find('last', { project: '/work/other' })).id).toBe('ses_01bbbb3')
  })

  test('what fits several is ambiguous and lists them', async () => {
    const matches = ['ses_01aaaa1', 'ses_01aaaa2']
    await expect(store.find('01aa')).rejects.toMatchObject({ code: 'ambiguous_session', facts: { matches } })
    await expect(store.find('Paint')).rejects.toMatchObject({
      code: 'ambiguous_session',
      message: expect.stringContaining('2 sessions'),
    })
  })

  test('what fits none is unknown and names near ones; three characters are no prefix', async () => {
    await expect(store.find('01aaaa9')).rejects.toMatchObject({
      code: 'unknown_session',
      facts: { near: ['ses_01aaaa2 "Fix the door"', 'ses_01aaaa1 "Fix the till"'] },
    })
    await expect(store.find('01b')).rejects.toMatchObject({ code: 'unknown_session' })
    await expect(store.find('zzzzzz')).rejects.toMatchObject({ code: 'unknown_session', facts: { near: [] } })
  })
})

describe('list', () => {
  test('newest change first, by project, in pages', async () => {
    for (let i = 0; i < 5; i++)
      await fill(`ses_${i}`, `t${i}`, 100 - (i % 3), [], i === 4 ? '/work/other' : '/work/shop')
    expect(await titles()).toEqual(['t3', 't0', 't4', 't1', 't2'])
    expect(await titles({ project: '/work/other' })).toEqual(['t4'])
    const first = await store.list({ limit: 2 })
    const second = await store.list({ limit: 2, cursor: first.next ?? '' })
    const third = await store.list({ limit: 2, cursor: second.next ?? '' })
    expect([first, second, third].flatMap(({ items }) => items.map(({ title }) => title))).toEqual([
      't3',
      't0',
      't4',
      't1',
      't2',
    ])
    expect(third.next).toBeNull()
    await expect(store.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  test("the owner's summary is shown; a log that went on since is looked at from its end", async () => {
    const session = await fill('ses_a', 'opened so', 10)
    await store.writeSummary(session, summaryOf('ses_a', 'summed up', 50))
    expect((await store.list()).items).toEqual([summaryOf('ses_a', 'summed up', 50)])
    const lease = await session.log.claim({})
    await lease.append([{ ...logEvent(1, 'a', 'renamed'), at: 70 }])
    expect((await store.list()).items).toEqual([{ ...summaryOf('ses_a', 'renamed', 70), seq: 1 }])
  })

  test('without any cache the rows come from both ends of the logs; no list reads the middle', async () => {
    const long = Array.from({ length: 30 }, (_, i) => [logEvent(i + 1, 'a', 'x'.repeat(100_000))])
    const session = await fill('ses_long', 'long', 10, [...long, [{ ...logEvent(31, 'a', 'at the end'), at: 99 }]])
    const before = await stat(join(session.dir, '0001.jsonl'))
    expect(before.size).toBeGreaterThan(3_000_000)
    const [row] = (await store.list()).items
    expect(row).toMatchObject({ title: 'at the end', seq: 31, updatedAt: 99, cwd: '/work/shop', openedAt: 10 })
  })

  test('caches may be deleted or spoiled at any time', async () => {
    const session = await fill('ses_a', 'a', 10)
    await fill('ses_b', 'b', 5)
    await store.writeSummary(session, summaryOf('ses_a', 'sum', 50))
    for (const spoil of ['{}', 'null', '{"v":1,"rows":{"x":{"key":"","summary":3}}}', '\0', '']) {
      await store.list()
      await writeFile(index(), spoil)
      expect(await titles()).toEqual(['sum', 'b'])
      await rm(index())
      await writeFile(join(session.dir, 'summary.json'), spoil)
      expect(await titles()).toEqual(['a', 'b'])
      await store.writeSummary(session, summaryOf('ses_a', 'sum', 50))
      await rm(index())
    }
  })

  test('a warm list opens one file only', async () => {
    for (let i = 0; i < 3; i++) await fill(`ses_${i}`, `t${i}`, i)
    await store.list()
    const session = await store.find('ses_1')
    const rows = JSON.parse(await readFile(index(), 'utf8')).rows
    for (const row of Object.values<{ summary: { title: string } }>(rows)) row.summary.title += ' from the index'
    await writeFile(index(), JSON.stringify({ v: 1, rows }))
    expect(await titles()).toEqual(['t2 from the index', 't1 from the index', 't0 from the index'])
    await appendFile(join(session.dir, '0001.jsonl'), '\n')
    expect(await titles()).toEqual(['t2 from the index', 't1', 't0 from the index'])
  })

  test('listing one project keeps the rows of the others', async () => {
    await fill('ses_a', 'a', 1)
    await fill('ses_b', 'b', 2, [], '/work/other')
    await store.list()
    await store.list({ project: '/work/other' })
    expect(Object.keys(JSON.parse(await readFile(index(), 'utf8')).rows)).toHaveLength(2)
    await rm((await store.find('ses_a')).dir, { recursive: true })
    expect(await titles()).toEqual(['b'])
    expect(Object.keys(JSON.parse(await readFile(index(), 'utf8')).rows)).toHaveLength(1)
  })

  test('a session without a whole record is no row', async () => {
    const { log } = await store.create('ses_a', '/work/shop')
    await log.claim({})
    expect(await titles()).toEqual([])
    expect((await store.find('ses_a')).id).toBe('ses_a')
  })
})

describe('places', () => {
  test('TENON_HOME moves every place; else XDG, where it is absolute', () => {
    expect(createPlaces({ TENON_HOME: '/t', XDG_DATA_HOME: '/x' }, '/home/me')).toEqual({
      config: '/t/config',
      data: '/t/data',
      cache: '/t/cache',
    })
    expect(createPlaces({ XDG_DATA_HOME: '/x', XDG_CACHE_HOME: 'relative' }, '/home/me')).toEqual({
      config: '/home/me/.config/tenon',
      data: '/x/tenon',
      cache: '/home/me/.cache/tenon',
    })
  })
})
