// The stream as bytes on the wire: order of frames, cursors, slow readers, ends.
import { type Frame, frame, TenonError } from '@tenon/protocol'
import { createMemorySession, createMemorySource, createTestClock, openedDraft } from '@tenon/testkit'
import { describe, expect, it } from 'vitest'
import { createHandler } from '../handler.ts'
import { createRegistry } from '../registry.ts'

const id = 'ses_one'
const text = (value: string) =>
  ({ type: 'message.queued', by: 'person', delivery: 'steer', parts: [{ type: 'text', text: value }] }) as const

function setUp() {
  const source = createMemorySource()
  const session = createMemorySession({ id })
  session.append(openedDraft(id))
  source.sessions.set(id, session)
  const clock = createTestClock()
  const drain = new AbortController()
  const registry = createRegistry(source)
  const handler = createHandler({ sessions: registry, info: { version: '0' }, clock, drain: drain.signal })
  const open = async (query = '', init: RequestInit = {}) => {
    const response = await handler(new Request(`http://x/api/sessions/${id}/stream${query}`, init))
    return { response, next: response.ok ? reader(response) : never }
  }
  return { session, clock, drain, registry, open }
}

const never = Object.assign(() => Promise.resolve(undefined), { ids: () => [], cancel: () => undefined })

/** Lets the stream come to where it waits. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Reads one frame at a time; `undefined` at the end. */
function reader(response: Response) {
  const body = response.body?.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  let ids: string[] = []
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const block = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        ids = [...ids, ...[...block.matchAll(/^id: (.*)$/gm)].map(([, value]) => value ?? '')]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data) return frame.parse(JSON.parse(data))
      } else {
        const chunk = await body?.read()
        if (!chunk || chunk.done) return undefined
        buffer += decoder.decode(chunk.value, { stream: true })
      }
    }
  }
  return Object.assign(next, { ids: () => ids, cancel: () => body?.cancel() })
}

/** An attempt of the model is open: its reply will be `ev_reply`. */
function startReply(session: ReturnType<typeof createMemorySession>) {
  const [started] = session.append({
    type: 'model.started',
    by: 'harness',
    purpose: 'act',
    model: 'm',
    provider: 'p',
    why: '',
    head: 'ev_x',
    contextSet: 'ev_x',
    messages: 1,
    requestHash: '',
    projection: 1,
    estimate: 0,
    message: 'ev_reply',
    try: 0,
    cacheKey: '',
  })
  return {
    attempt: started?.id ?? 'ev_',
    delta: (n: number, value: string) =>
      ({ type: 'message.delta', message: 'ev_reply', part: 0, kind: 'text', text: value, n }) as const,
  }
}

const finished = (attempt: `ev_${string}`) =>
  ({
    type: 'model.finished',
    by: 'harness',
    attempt,
    purpose: 'act',
    finish: 'stop',
    firstMs: 0,
    ms: 0,
    warnings: [],
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
    cost: { nanoUsd: null, source: 'unknown' },
  }) as const

describe('attaching', () => {
  it('says hello, what it replays, replays it, then follows', async () => {
    const { session, open } = setUp()
    session.append(text('a'), text('b'))
    const { response, next } = await open('?after_seq=0')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(await next()).toMatchObject({
      t: 'hello',
      session: id,
      seq: 2,
      owner: 'here',
      heartbeatMs: 15000,
      protocol: { min: 1 },
    })
    expect(await next()).toEqual({ t: 'sync', from: 1, through: 2 })
    expect(await next()).toMatchObject({ t: 'events', first: 1, last: 2, events: [{ seq: 1 }, { seq: 2 }] })
    const later = next()
    session.append(text('c'))
    expect(await later).toMatchObject({ t: 'events', first: 3, last: 3 })
    expect(next.ids()).toEqual(['2', '3'])
  })

  it('starts live without a cursor, after the larger of cursor and Last-Event-ID, or at a tail', async () => {
    const { session, open } = setUp()
    session.append(text('a'), text('b'))
    const sync = async (query: string, last?: string) => {
      const { next } = await open(query, last ? { headers: { 'last-event-id': last } } : {})
      await next()
      return next()
    }
    expect(await sync('')).toEqual({ t: 'sync', from: 3, through: 2 })
    expect(await sync('?after_seq=0', '1')).toEqual({ t: 'sync', from: 2, through: 2 })
    expect(await sync('?after_seq=1', '0')).toEqual({ t: 'sync', from: 2, through: 2 })
    expect(await sync('?tail=5')).toEqual({ t: 'sync', from: 0, through: 2 })
    session.append({ type: 'message.added', by: 'person', role: 'user', parts: [] })
    session.append({ type: 'message.added', by: 'person', role: 'user', parts: [] })
    expect(await sync('?tail=1')).toEqual({ t: 'sync', from: 4, through: 4, truncated_before: 4 })
  })

  it('refuses a cursor beyond the log with the newest seq', async () => {
    const { open } = setUp()
    const { response } = await open('?after_seq=7')
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'cursor_ahead', facts: { seq: 0 } }])
  })

  it('splits what it replays into frames of at most 256 KiB', async () => {
    const { session, open } = setUp()
    session.append(...Array.from({ length: 10 }, () => text('é'.repeat(50_000))))
    const { next } = await open('?after_seq=0')
    await next()
    await next()
    const sizes: number[] = []
    for (let seen = 0; seen < 10; ) {
      const found = await next()
      if (found?.t !== 'events') throw new Error('no events')
      sizes.push(Buffer.byteLength(JSON.stringify(found)))
      seen = found.last
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
    expect(sizes.length).toBe(5)
  })

  it('counts an answerer while the stream lasts and as long as a client takes to come back', async () => {
    const { session, open, clock, registry } = setUp()
    const { next } = await open('?answer=1')
    await open()
    expect(session.answerers()).toBe(1)
    await next()
    await next.cancel()
    await clock.advance(19_999)
    expect(session.answerers()).toBe(1)
    await clock.advance(1)
    expect(session.answerers()).toBe(0)
    const leave = new AbortController()
    await open('?answer=1', { signal: leave.signal })
    leave.abort()
    expect(session.answerers()).toBe(1)
    await registry.drop(session)
    expect(session.answerers()).toBe(0)
  })
})

describe('fragments', () => {
  it('shows what is partly there and goes on where it ends', async () => {
    const { session, open } = setUp()
    const { attempt, delta } = startReply(session)
    session.emit(delta(0, 'Hel'))
    session.emit(delta(1, 'lo'))
    const { next } = await open()
    await next()
    await next()
    expect(await next()).toEqual({ t: 'snapshot', cut: 0, fragment: delta(1, 'Hello') })
    const later = next()
    session.emit(delta(2, ' you'))
    expect(await later).toEqual({ t: 'live', fragment: delta(2, ' you') })
    session.emit(delta(3, '!'))
    session.append(
      { type: 'message.added', by: 'agent', role: 'assistant', parts: [{ type: 'text', text: 'Hello you!' }], attempt },
      finished(attempt),
    )
    expect(await next()).toMatchObject({ t: 'events', first: 2, last: 3 })
    session.append(text('x'))
    expect(await next()).toMatchObject({ t: 'events', first: 4 })
  })

  it('joins fragments for a slow reader and drops what no longer matters', async () => {
    const { session, open } = setUp()
    const { delta } = startReply(session)
    const { next } = await open()
    await next()
    await next()
    const first = next()
    await tick()
    session.emit(delta(0, 'a'))
    expect(await first).toEqual({ t: 'live', fragment: delta(0, 'a') })
    for (let n = 1; n <= 5; n++) session.emit(delta(n, String(n)))
    await tick()
    expect(await next()).toEqual({ t: 'live', fragment: delta(5, '12345'), first: 1 })
    session.emit(delta(6, 'stale'))
    session.emit({ type: 'message.dropped', message: 'ev_reply', reason: 'retry' })
    await tick()
    expect(await next()).toMatchObject({ t: 'live', fragment: { type: 'message.dropped' } })
  })

  it('holds at most 256 KiB for a reader that lags, whatever streams by, and delays nobody', async () => {
    const { session, open } = setUp()
    const { delta } = startReply(session)
    const { next } = await open()
    await next()
    await next()
    const first = next()
    await tick()
    session.emit(delta(0, 'a'))
    await first
    for (let n = 1; n <= 600; n++) {
      session.emit(delta(n, 'x'.repeat(1024)))
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0))
    }
    session.append(text('durable'))
    expect(await next()).toMatchObject({ t: 'events' })
    const late = next()
    session.emit(delta(601, 'end'))
    const shown = await late
    expect(shown?.t === 'live' && 'text' in shown.fragment ? shown.fragment.text.length : 0).toBeLessThanOrEqual(
      256 * 1024,
    )
  })

  it('leaves fragments out when they are not wanted', async () => {
    const { session, open } = setUp()
    const { delta } = startReply(session)
    session.emit(delta(0, 'a'))
    const { next } = await open('?live=0')
    await next()
    await next()
    const later = next()
    session.emit(delta(1, 'b'))
    session.append(text('x'))
    expect(await later).toMatchObject({ t: 'events' })
  })
})

describe('ends', () => {
  it('pings after 15 s of silence', async () => {
    const { clock, open } = setUp()
    const { next } = await open()
    await next()
    await next()
    const ping = next()
    await tick()
    await clock.advance(15_000)
    expect(await ping).toEqual({ t: 'ping', at: clock.now() })
  })

  it('lets a reader go that takes nothing for 30 s, and frees what it held', async () => {
    const { session, clock, open } = setUp()
    const { next } = await open()
    await next()
    await next()
    const first = next()
    session.append(text('a'))
    await first
    session.append(text('b'))
    await clock.advance(29_999)
    expect(clock.waiting()).toBe(1)
    await clock.advance(1)
    expect(clock.waiting()).toBe(0)
    expect(await next()).toEqual({ t: 'bye', reason: 'slow_consumer' })
    expect(await next()).toBeUndefined()
  })

  it('lets a reader go that never begins', async () => {
    const { session, clock, open } = setUp()
    await open('?answer=1')
    await clock.advance(50_000)
    expect([session.answerers(), clock.waiting()]).toEqual([0, 0])
  })

  it('says bye when the process drains and when the session is closed here', async () => {
    const { session, drain, registry, open } = setUp()
    const closing = (await open()).next
    for (let i = 0; i < 2; i++) await closing()
    const closed = closing()
    await registry.drop(session)
    expect(await closed).toEqual({ t: 'bye', reason: 'closed' })
    const draining = (await open()).next
    for (let i = 0; i < 2; i++) await draining()
    const drained = draining()
    drain.abort()
    expect(await drained).toEqual({ t: 'bye', reason: 'draining', retry_after_ms: 1000 })
    expect(await draining()).toBeUndefined()
  })

  it('sends all readers of a session that failed to its next owner, with the cause', async () => {
    const { session, registry, open } = setUp()
    const readers = [(await open()).next, (await open()).next]
    const ends = []
    for (const next of readers) {
      await next()
      await next()
      ends.push(next())
    }
    session.fail(new TenonError({ code: 'storage_full', message: 'The disk is full.', action: 'y' }))
    for (const end of await Promise.all(ends)) {
      expect(end).toEqual({ t: 'error', code: 'storage_full', detail: 'The disk is full.' })
    }
    for (const next of readers) {
      expect([await next(), await next()]).toEqual([{ t: 'bye', reason: 'moved', retry_after_ms: 1000 }, undefined])
    }
    expect(registry.find(id)).toBeUndefined()
  })
})
