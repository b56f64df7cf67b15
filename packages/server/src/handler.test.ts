// The contract over HTTP: routes, refusals, problems. Streams have their own tests.
import { createHash } from 'node:crypto'
import { createMemorySession, createMemorySource, createTestClock, openedDraft } from '@tenon/testkit'
import { describe, expect, it, vi } from 'vitest'
import { createHandler } from './handler.ts'
import { createRegistry } from './registry.ts'

const id = 'ses_one'

function setUp(options: Parameters<typeof createMemorySession>[0] = {}) {
  const bytes = new TextEncoder().encode('0123456789')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const source = createMemorySource(new Map([[sha256, bytes]]))
  const session = createMemorySession({ id, ...options })
  session.append(openedDraft(id))
  source.sessions.set(id, session)
  const clock = createTestClock()
  const reported: unknown[] = []
  const sessions = createRegistry(source)
  const handler = createHandler({
    sessions,
    info: { version: '1.2.3' },
    clock,
    actor: 'root',
    report: (_, error) => reported.push(error),
  })
  const ask = async (path: string, init?: RequestInit) => {
    const response = await handler(new Request(`http://x${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  return { source, session, sessions, clock, handler, ask, post, sha256, reported }
}

const send = (text: string, id?: string) => ({
  command: 'send',
  parts: [{ type: 'text', text }],
  ...(id ? { id } : {}),
})

describe('routes', () => {
  it('says what it is', async () => {
    const { ask } = setUp()
    expect((await ask('/health/live')).body).toEqual({ ok: true })
    const { body } = await ask('/api/info')
    expect(body).toMatchObject({ version: '1.2.3', protocol: { min: 1, max: 1 }, sessions: 0, uptimeMs: 0 })
  })

  it('opens a session once: 201, then 200 for the same id', async () => {
    const { post, ask } = setUp()
    const order = { session: 'ses_new', cwd: '/w', id: 'c1' }
    const first = await post('/api/sessions', order)
    expect([first.status, first.body]).toEqual([201, { accepted: true, session: 'ses_new', seq: [0, 0] }])
    const again = await post('/api/sessions', order)
    expect([again.status, again.body]).toEqual([200, first.body])
    const list = await ask('/api/sessions?limit=1')
    expect(list.body.items).toMatchObject([{ id: 'ses_new', cwd: '/w', seq: 0 }])
    const rest = await ask(`/api/sessions?cursor=${list.body.next}`)
    expect(rest.body).toMatchObject({ items: [{ id }], next: null })
    expect((await ask(`/api/sessions/${id}`)).body).toMatchObject({ id, status: 'idle', seq: 0 })
  })

  it('takes commands with who sent them, once an id', async () => {
    const { post, session } = setUp()
    const headers = { 'x-tenon-client': 'tui' }
    const first = await post(`/api/sessions/${id}/commands`, send('hi', 'c1'), headers)
    expect([first.status, first.body]).toEqual([200, { accepted: true, seq: [1, 2] }])
    expect((await post(`/api/sessions/${id}/commands`, send('hi', 'c1'))).body.seq).toEqual([1, 2])
    const [queued] = await session.read(1, 1)
    expect(queued).toMatchObject({ type: 'message.queued', cause: 'c1', actor: 'root', client: 'tui' })
    const other = await post(`/api/sessions/${id}/commands`, send('ho', 'c1'))
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  })

  it('shows what a dry run would append and appends nothing', async () => {
    const { post, session } = setUp()
    const { body } = await post(`/api/sessions/${id}/commands?dry=1`, send('hi'))
    expect(body).toMatchObject({
      accepted: true,
      seq: null,
      events: [{ type: 'message.queued' }, { type: 'run.requested' }],
    })
    expect(session.durable()).toBe(0)
  })

  it('answers a refusal with 409, the code, the reason and what to do', async () => {
    const refusal = { code: 'not_running', message: 'Nothing runs.', action: 'Send first.', retryable: false } as const
    const { post } = setUp({ decide: () => ({ accepted: false, refusal: { ...refusal, facts: { since: 3 } } }) })
    const { status, body, headers } = await post(`/api/sessions/${id}/commands`, { command: 'interrupt' })
    expect(status).toBe(409)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({
      code: 'not_running',
      detail: 'Nothing runs.',
      next: 'Send first.',
      facts: { since: 3 },
    })
  })

  it('holds an answer until the run rests, or says where it stands', async () => {
    const { post, session, clock } = setUp()
    const headers = { prefer: 'wait=30' }
    const held = post(`/api/sessions/${id}/commands`, send('hi'), headers)
    const waiting = () => vi.waitFor(() => expect(clock.waiting()).toBe(1), { interval: 1 })
    await waiting()
    await clock.advance(29_000)
    session.append({
      type: 'message.withdrawn',
      by: 'person',
      queued: (await session.read(1, 1))[0]?.id ?? 'ev_',
      reason: 'person',
    })
    expect(await held).toMatchObject({
      status: 200,
      body: { rested: true, run: { status: 'idle', seq: 3 }, final: null },
    })
    const late = post(`/api/sessions/${id}/commands`, send('again'), headers)
    await waiting()
    await clock.advance(30_000)
    expect(await late).toMatchObject({ status: 202, body: { accepted: true, seq: [4, 5], rested: false } })
    expect((await post(`/api/sessions/${id}/commands`, send('x'), { prefer: 'wait=601' })).status).toBe(400)
    expect(clock.waiting()).toBe(0)
  })

  it('pages events by count, bytes, type and cursor', async () => {
    const { ask, session } = setUp()
    for (let i = 0; i < 10; i++) session.append({ type: 'run.requested', by: 'person', reason: 'run' })
    const first = await ask(`/api/sessions/${id}/events?limit=4`)
    expect(first.body).toMatchObject({ seq: 10, next: 's4' })
    const next = await ask(`/api/sessions/${id}/events?limit=4&cursor=s4&before=6`)
    expect([next.body.items.map(({ seq }: { seq: number }) => seq), next.body.next]).toEqual([[4, 5], null])
    const typed = await ask(`/api/sessions/${id}/events?types=session.opened,nonsense`)
    expect(typed.body).toMatchObject({ items: [{ seq: 0 }], next: null })
    session.append(
      ...[1, 2, 3].map(
        () =>
          ({
            type: 'message.queued',
            by: 'person',
            delivery: 'steer',
            parts: [{ type: 'text', text: 'x'.repeat(400_000) }],
          }) as const,
      ),
    )
    const big = await ask(`/api/sessions/${id}/events?after=10`)
    expect([big.body.items.length, big.body.next]).toEqual([2, 's13'])
    expect((await ask(`/api/sessions/${id}/events?limit=501`)).status).toBe(422)
    expect((await ask(`/api/sessions/${id}/events?cursor=zz`)).body.code).toBe('bad_request')
  })

  it('finds one event by seq, by id on the tree and in the ledger', async () => {
    const { ask, session } = setUp()
    const [ledger] = session.append({ type: 'run.requested', by: 'person', reason: 'run' })
    const opened = await ask(`/api/sessions/${id}/events/0`)
    expect(opened.body.type).toBe('session.opened')
    expect((await ask(`/api/sessions/${id}/events/${opened.body.id}`)).body.seq).toBe(0)
    expect((await ask(`/api/sessions/${id}/events/${ledger?.id}`)).body.seq).toBe(1)
    expect((await ask(`/api/sessions/${id}/events/ev_none`)).status).toBe(404)
    expect((await ask(`/api/sessions/${id}/events/99`)).status).toBe(404)
  })

  it('gives the run projection with its seq, and 304 for a known one', async () => {
    const { ask, session } = setUp()
    const first = await ask(`/api/sessions/${id}/projections/run`)
    const etag = first.headers.get('etag') ?? ''
    expect(first.body).toMatchObject({ session: id, seq: 0, status: 'idle', asks: [], settings: { model: 'demo' } })
    const again = await ask(`/api/sessions/${id}/projections/run`, { headers: { 'if-none-match': etag } })
    expect([again.status, again.body]).toEqual([304, undefined])
    session.append({ type: 'run.requested', by: 'person', reason: 'run' })
    expect((await ask(`/api/sessions/${id}/projections/run`, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  it('serves blobs whole and in ranges', async () => {
    const { handler, sha256, ask } = setUp()
    const get = (range?: string) =>
      handler(new Request(`http://x/api/sessions/${id}/blobs/${sha256}`, range ? { headers: { range } } : {}))
    expect(await (await get()).text()).toBe('0123456789')
    const part = await get('bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/*', '234'])
    expect(await (await get('bytes=7-')).text()).toBe('789')
    expect((await get('bytes=10-')).status).toBe(416)
    expect((await ask(`/api/sessions/${id}/blobs/${'0'.repeat(64)}`)).body.code).toBe('blob_missing')
  })

  it('gathers open asks and answers many, each with its own outcome', async () => {
    const { ask, post, session } = setUp({
      decide: (command) =>
        command.command === 'answer' ? [{ type: 'ask.closed', by: 'person', ask: command.ask, how: 'answered' }] : [],
    })
    const [opened] = session.append({
      type: 'ask.opened',
      by: 'harness',
      kind: 'budget',
      title: 'More?',
      detail: '',
      options: [{ id: 'stop', label: 'Stop', effect: '' }],
      rules: [],
    })
    await ask(`/api/sessions/${id}`)
    const { body } = await ask('/api/inbox')
    expect(body.items).toMatchObject([{ session: id, id: opened?.id, title: 'More?', options: ['stop'], input: null }])
    const answers = [
      { session: id, ask: opened?.id, options: ['stop'] },
      { session: 'ses_none', ask: 'ev_1', options: [] },
    ]
    const outcome = await post('/api/inbox/answer', { answers })
    expect(outcome.body.items).toMatchObject([
      { accepted: true, seq: [2, 2] },
      { accepted: false, problem: { code: 'unknown_session', status: 404 } },
    ])
    expect((await ask('/api/inbox')).body.items).toEqual([])
  })
})

describe('bad input', () => {
  it('names the nearest field, parameter and command', async () => {
    const { post, ask } = setUp()
    const field = await post(`/api/sessions/${id}/commands`, { ...send('x'), delivry: 'steer' })
    expect([field.status, field.body.code, field.body.next]).toEqual([400, 'unknown_field', 'Did you mean "delivery"?'])
    const command = await post(`/api/sessions/${id}/commands`, { command: 'intrupt' })
    expect([command.status, command.body.next]).toEqual([422, 'Did you mean "interrupt"?'])
    const query = await ask(`/api/sessions/${id}/events?limt=4`)
    expect([query.status, query.body.next]).toEqual([400, 'Did you mean "limit"?'])
    expect((await post('/api/sessions', { cwd: '/w', titel: 'x' })).body.next).toBe('Did you mean "title"?')
  })

  it('names path and rule, never the value', async () => {
    const { post } = setUp()
    const { status, body } = await post(`/api/sessions/${id}/commands`, { command: 'withdraw', queued: 'hunter2' })
    expect([status, body.code, body.fields[0].path]).toEqual([422, 'invalid', 'queued'])
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  it('bounds bodies by bytes and depth', async () => {
    const { post, ask } = setUp()
    const path = `/api/sessions/${id}/commands`
    expect((await post(path, send('x'.repeat(1_100_000)))).body).toMatchObject({ status: 413, code: 'too_large' })
    const image = { type: 'image', mime: 'image/png', url: `data:image/png;base64,${'A'.repeat(2_000_000)}` }
    expect((await post(path, { command: 'send', parts: [image] })).status).toBe(200)
    const json = { 'content-type': 'application/json' }
    const deep = `{"command":"configure","set":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`
    expect((await ask(path, { method: 'POST', body: deep, headers: json })).body).toMatchObject({
      status: 400,
      code: 'bad_request',
    })
    expect((await ask(path, { method: 'POST', body: '{', headers: json })).status).toBe(400)
    expect((await ask(path, { method: 'POST', body: '{}' })).status).toBe(415)
  })

  it('answers unknown paths, methods and sessions as problems', async () => {
    const { ask } = setUp()
    expect((await ask('/api/nothing')).body).toMatchObject({ status: 404, code: 'not_found' })
    const method = await ask('/api/info', { method: 'DELETE' })
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET'])
    expect((await ask('/api/sessions/ses_none')).body).toMatchObject({ status: 404, code: 'unknown_session' })
    expect((await ask('/api/sessions/%2e%2e')).status).toBe(404)
  })

  it('hides the text of a bug and reports it under the id that the answer carries', async () => {
    const { ask, session, reported } = setUp()
    session.read = () => Promise.reject(new Error('secret path'))
    const { status, body } = await ask(`/api/sessions/${id}/events/0`)
    expect([status, body.code, JSON.stringify(body).includes('secret')]).toEqual([500, 'internal', false])
    expect(body.error_id).toMatch(/^err_/)
    expect(reported).toEqual([new Error('secret path')])
  })
})
