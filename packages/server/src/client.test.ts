// The typed client over the handler, in process: commands, streams that outlive their connections, views.
import { Client, type ClientOptions, type StreamItem } from '@tenon/client'
import type { Draft, Event, Live } from '@tenon/protocol'
import { createMemorySession, createMemorySource, createTestClock, openedDraft } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHandler } from './handler.ts'
import { createRegistry } from './registry.ts'

const id = 'ses_one'
const queued = (value: string): Draft => ({
  type: 'message.queued',
  by: 'person',
  delivery: 'steer',
  parts: [{ type: 'text', text: value }],
})

/** Waits of a connection pass at once; longer ones (silence) never end. */
const eager = {
  now: () => 0,
  random: () => 0.5,
  until: (at: number, signal: AbortSignal) =>
    at < 20_000
      ? Promise.resolve()
      : new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
}

function setUp(options: ClientOptions & Parameters<typeof createMemorySession>[0] = {}) {
  const source = createMemorySource()
  const session = createMemorySession({ id, ...options })
  session.append(openedDraft(id))
  source.sessions.set(id, session)
  const handler = createHandler({ sessions: createRegistry(source), info: { version: '0' }, clock: createTestClock() })
  const { clock = eager, fetch = handler } = options
  const client = new Client({
    kind: 'sdk',
    clock,
    fetch,
    ...('patienceMs' in options ? { patienceMs: options.patienceMs } : {}),
  })
  return { session, handler, client, one: client.session(id) }
}

/** Cuts each connection after its number of bytes: the body breaks off, as a lost socket does. */
function cutting(handler: (request: Request) => Promise<Response>, cuts: readonly number[]) {
  const left = [...cuts]
  return async (request: Request): Promise<Response> => {
    const response = await handler(request)
    const cut = left.shift()
    if (cut === undefined || !response.body) return response
    let bytes = 0
    const source = response.body.getReader()
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await source.read()
        if (done) return controller.close()
        const rest = value.slice(0, Math.max(0, cut - bytes))
        bytes += value.byteLength
        if (rest.byteLength > 0) controller.enqueue(rest)
        if (bytes < cut) return
        await source.cancel()
        controller.error(new TypeError('terminated'))
      },
    })
    return new Response(body, response)
  }
}

const eventsOf = (items: readonly StreamItem[]): readonly Event[] =>
  items.flatMap((item) => (item.t === 'events' ? item.events : []))

describe('commands', () => {
  it('opens, sends, reads back', async () => {
    const { client } = setUp()
    const { session, reply } = await client.sessions.open({ cwd: '/w', title: 'x' })
    expect(reply).toEqual({ accepted: true, session: session.id, seq: [0, 0] })
    expect((await session.send('hello')).seq).toEqual([1, 2])
    const types: string[] = []
    for await (const event of session.events({ limit: 1 })) types.push(event.type)
    expect(types).toEqual(['session.opened', 'message.queued', 'run.requested'])
    expect(await session.state()).toMatchObject({ session: session.id, seq: 2, queue: [{ text: 'hello' }] })
    expect((await client.sessions.list()).items.map((row) => row.id)).toEqual([session.id, id])
    expect(await client.sessions.get(id)).toMatchObject({ id, status: 'idle' })
    expect((await client.info()).protocol).toEqual({ min: 1, max: 1 })
  })

  it('sends again after a lost connection, once in effect', async () => {
    let tries = 0
    const inner = setUp()
    const client = new Client({
      clock: eager,
      fetch: async (request) => {
        const response = await inner.handler(request)
        if (tries++ < 4) throw new TypeError('fetch failed')
        return response
      },
    })
    const reply = await client.session(id).send('once')
    expect([tries, reply.seq, inner.session.durable()]).toEqual([5, [1, 2], 2])
  })

  it('rejects with the refusal, with what the wire adds', async () => {
    const refusal = {
      code: 'ask_closed',
      message: 'Ada answered.',
      action: 'Nothing to do.',
      retryable: false,
    } as const
    const { one } = setUp({ decide: () => ({ accepted: false, refusal: { ...refusal, facts: { who: 'ada' } } }) })
    const error = await one.answer('ev_1', { options: ['allow'] }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ask_closed', failure: refusal, facts: { who: 'ada', status: 409 } })
  })

  it('says that a connection stays lost when patience ends', async () => {
    const client = new Client({ patienceMs: 0, fetch: () => Promise.reject(new TypeError('fetch failed')) })
    await expect(client.info()).rejects.toMatchObject({ code: 'unreachable', failure: { retryable: true } })
  })

  it('obeys an abort while it waits', async () => {
    const leave = new AbortController()
    const client = new Client({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    setTimeout(() => leave.abort(new Error('enough')), 20)
    await expect(client.info(leave.signal)).rejects.toThrow('enough')
  })

  it('names an answer that is not ours', async () => {
    const page = () => Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    await expect(new Client({ fetch: page }).info()).rejects.toMatchObject({
      message: expect.stringContaining('text/html'),
    })
  })
})

describe('streams', () => {
  it('reconnecting anywhere equals never having left', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(9_000), { maxLength: 6 }),
        fc.array(fc.string({ maxLength: 300, unit: 'grapheme' }), { minLength: 1, maxLength: 30 }),
        fc.nat(30),
        async (cuts, texts, before) => {
          const { session, handler } = setUp()
          const drafts = texts.map(queued)
          for (const draft of drafts.slice(0, before)) session.append(draft)
          const client = new Client({ clock: eager, fetch: cutting(handler, cuts) })
          const items: StreamItem[] = []
          let rest = drafts.slice(before)
          for await (const item of client.session(id).stream({ after: -1 })) {
            items.push(item)
            if (rest[0]) session.append(rest[0])
            rest = rest.slice(1)
            if (rest.length === 0 && eventsOf(items).at(-1)?.seq === drafts.length) break
          }
          expect(eventsOf(items)).toEqual(await session.read(0, drafts.length))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('dropping fragments changes no event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (script) => {
        const seen: (readonly Event[])[] = []
        for (const live of [true, false]) {
          const { session, one } = setUp()
          const items: StreamItem[] = []
          const stream = one.stream({ after: -1, live })
          for (const [n, durable] of script.entries()) {
            if (durable) session.append(queued(String(n)))
            else
              session.emit({
                type: 'message.delta',
                message: 'ev_r',
                part: 0,
                kind: 'text',
                text: 'x',
                n,
              } satisfies Live)
          }
          const last = session.durable()
          for await (const item of stream) {
            items.push(item)
            if (eventsOf(items).at(-1)?.seq === last) break
          }
          seen.push(eventsOf(items))
        }
        expect(seen[0]).toEqual(seen[1])
      }),
      { numRuns: 30 },
    )
  })

  it('ends on answers that no later try can change', async () => {
    for (const status of [401, 403, 404, 410]) {
      const client = new Client({ clock: eager, fetch: () => Promise.resolve(new Response('{}', { status })) })
      await expect(client.session(id).stream().next()).rejects.toMatchObject({ facts: { status } })
    }
    const { one } = setUp()
    await expect(one.stream({ after: 99 }).next()).rejects.toMatchObject({ code: 'cursor_ahead', facts: { seq: 0 } })
  })

  it('shows why an answer is no stream, and backs off', async () => {
    const clock = createTestClock()
    let requests = 0
    const leave = new AbortController()
    const client = new Client({
      clock,
      fetch: () => Promise.resolve(new Response(`<html>${requests++}`, { headers: { 'content-type': 'text/html' } })),
    })
    const waits: number[] = []
    const done = (async () => {
      for await (const item of client.session(id).stream({ signal: leave.signal })) {
        if (item.t === 'retrying') waits.push(item.inMs)
      }
    })()
    await clock.advance(30_000)
    leave.abort()
    await done
    expect(waits).toEqual([2000, 4000, 8000, 15000, 15000])
    expect(requests).toBe(5)
    expect(clock.waiting()).toBe(0)
  })

  it('takes two and a half silent heartbeats as loss', async () => {
    const clock = createTestClock()
    const { handler } = setUp()
    const client = new Client({ clock, fetch: handler })
    const items: StreamItem[] = []
    const leave = new AbortController()
    const done = (async () => {
      for await (const item of client.session(id).stream({ signal: leave.signal })) items.push(item)
    })()
    await clock.advance(1)
    // The server's own clock stands still: it never pings.
    await clock.advance(37_400)
    expect(items.map(({ t }) => t)).toEqual(['hello', 'sync'])
    await clock.advance(101)
    expect(items.at(-1)).toMatchObject({ t: 'retrying', failure: { code: 'unreachable' } })
    await clock.advance(300)
    expect(items.map(({ t }) => t)).toEqual(['hello', 'sync', 'retrying', 'hello', 'sync'])
    leave.abort()
    await done
    expect(clock.waiting()).toBe(0)
  })

  it('waits as long as the server asks, and ends when the session is closed', async () => {
    const frames = [
      [{ t: 'bye', reason: 'draining', retry_after_ms: 5000 }],
      [{ t: 'unheard_of' }, { t: 'bye', reason: 'closed' }],
    ]
    const client = new Client({
      clock: eager,
      fetch: async () => {
        const text = (frames.shift() ?? []).map((frame) => `data: ${JSON.stringify(frame)}\r\n\r\n`).join('')
        return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    const items: StreamItem[] = []
    for await (const item of client.session(id).stream()) items.push(item)
    expect(items).toMatchObject([{ t: 'bye' }, { t: 'retrying', inMs: 5000 }, { t: 'bye', reason: 'closed' }])
  })

  it('answers asks by default only for kinds with a person in front', async () => {
    for (const [kind, count] of [
      ['tui', 1],
      ['headless', 0],
    ] as const) {
      const { handler, session } = setUp()
      const stream = new Client({ kind, fetch: handler }).session(id).stream()
      await stream.next()
      expect(session.answerers()).toBe(count)
      await stream.return()
    }
  })
})

describe('views', () => {
  it('shows status and what is being said, until the stored message replaces it', async () => {
    const { session, one } = setUp()
    const leave = new AbortController()
    const view = one.view({ signal: leave.signal })
    const until = async (wanted: (shown: string) => boolean) => {
      for (;;) {
        const next = await view.next()
        if (next.done) throw new Error('ended')
        const { run, open, connection } = next.value
        const shown = `${connection.state} ${run?.status} ${open.map(({ text }) => text).join('|')}`
        if (wanted(shown)) return shown
      }
    }
    expect(await until((shown) => shown.startsWith('live'))).toBe('live idle ')
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
    const delta = (n: number, text: string): Live => ({
      type: 'message.delta',
      message: 'ev_reply',
      part: 0,
      kind: 'text',
      text,
      n,
    })
    session.emit(delta(0, 'Hel'))
    await until((shown) => shown.endsWith('Hel'))
    session.emit(delta(1, 'lo'))
    await until((shown) => shown.endsWith('Hello'))
    session.emit({ type: 'message.dropped', message: 'ev_reply', reason: 'retry' })
    await until((shown) => !shown.endsWith('Hello'))
    session.append({
      type: 'model.failed',
      by: 'harness',
      attempt: started?.id ?? 'ev_',
      purpose: 'act',
      roll: 0,
      failure: { code: 'model_failed', message: '', action: '', retryable: false },
    })
    leave.abort()
    expect((await view.next()).done).toBe(true)
  })
})
