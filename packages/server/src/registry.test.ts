// One live session per id, whatever asks for it at once.
import { createMemorySession, createMemorySource, openedDraft } from '@tenon/testkit'
import { expect, it } from 'vitest'
import { createRegistry } from './registry.ts'

const id = 'ses_one'

function setUp() {
  const source = createMemorySource()
  const session = createMemorySession({ id })
  session.append(openedDraft(id))
  source.sessions.set(id, session)
  return { source, session, registry: createRegistry(source) }
}

it('takes a session up once for many that ask at the same time', async () => {
  const { source, registry } = setUp()
  const got = await Promise.all(Array.from({ length: 20 }, () => registry.get(id)))
  expect(new Set(got).size).toBe(1)
  expect(source.opened).toEqual([id])
})

it('makes one session of concurrent opens with one id', async () => {
  const { source, registry } = setUp()
  const order = { command: 'open', id: 'c1', session: 'ses_new', cwd: '/w' } as const
  const opened = await Promise.all(Array.from({ length: 10 }, () => registry.open(order, {})))
  expect(new Set(opened.map(({ session }) => session)).size).toBe(1)
  expect(opened.map(({ outcome }) => outcome)).toEqual(opened.map(() => ({ accepted: true, seq: [0, 0] })))
  expect(source.opened).toEqual(['ses_new'])
})

it('keeps no lease for an open that left the log empty', async () => {
  const { registry, source } = setUp()
  await registry.open({ command: 'open', session: 'ses_dry', cwd: '/w', dryRun: true }, {})
  expect(registry.find('ses_dry')).toBeUndefined()
  expect(source.sessions.get('ses_dry')?.durable()).toBe(-1)
})

it('tries again after a failure', async () => {
  const { registry, source, session } = setUp()
  source.sessions.delete(id)
  await expect(registry.get(id)).rejects.toMatchObject({ code: 'unknown_session' })
  source.sessions.set(id, session)
  expect((await registry.get(id)).session).toBe(session)
})

it('gives a session back before it is taken up again', async () => {
  const { registry, source, session } = setUp()
  const order: string[] = []
  const { ended } = await registry.get(id)
  session.close = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    order.push('closed')
  }
  const dropping = registry.drop(session)
  expect(ended.aborted).toBe(true)
  await registry.get(id)
  order.push('taken')
  await dropping
  expect(order).toEqual(['closed', 'taken'])
  expect(source.opened).toEqual([id, id])
})

it('closes all and takes up no more', async () => {
  const { registry } = setUp()
  const { ended } = await registry.get(id)
  await registry.close()
  expect([ended.aborted, registry.all()]).toEqual([true, []])
  await expect(registry.get(id)).rejects.toMatchObject({ code: 'closed' })
})
