// Acceptance 19 to 21 for each wire format: every fault of a real wire, over real HTTP, with limits of milliseconds.
import { createServer } from 'node:net'
import type { ModelPart } from '@tenon/core'
import { collect, deltas, modelRequest, type ServerTurn, startModelServer, streamProblems } from '@tenon/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { createModels } from '../models.ts'
import { type Api, apis } from '../providers/entry.ts'
import { wireOver } from '../testing/wire.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function serve(api: Api, turn: ServerTurn) {
  const timeouts = { connect: 1, firstByte: 0.3, idle: 0.15 }
  const { model, server, close } = await startWire(api, { script: [turn], strict: true, entry: { timeouts } })
  open.push({ close })
  const ask = async (number = 0) => {
    const { parts, error } = await collect(model.stream(modelRequest({ try: number }), never))
    expect(streamProblems(parts, { complete: error === undefined })).toEqual([])
    return { parts, error, text: deltas(parts, 'text.delta') }
  }
  return { ask, server }
}

const openAt = (baseUrl: string, timeouts = {}) =>
  createModels({
    providers: { acme: { api: 'openai-chat', baseUrl, timeouts } },
    readFile: () => Promise.reject(new Error('no file')),
  }).resolve('acme/m')

const text = 'abcdefghijklmnopqrstuvwxyz'
const texts = { text, chunk: 1 }

describe.each(apis)('faults of the wire: %s', (api) => {
  test.each<[string, ServerTurn, { class: string; status?: number }, string]>([
    ['200 with nothing', { ...texts, fault: { type: 'empty' } }, { class: 'empty' }, ''],
    ['200 with frames that say nothing', { ...texts, fault: { type: 'blank' } }, { class: 'empty' }, ''],
    [
      'overload before the reply',
      { ...texts, fail: { class: 'overloaded' } },
      { class: 'overloaded', status: 503 },
      '',
    ],
    ['529', { ...texts, fail: { class: 'overloaded', status: 529 } }, { class: 'overloaded', status: 529 }, ''],
    [
      'overload in the stream, before the first delta',
      { ...texts, fault: { type: 'stream-error' } },
      { class: 'overloaded' },
      '',
    ],
    [
      'overload after the first delta',
      { ...texts, fault: { type: 'stream-error', after: 3 } },
      { class: 'overloaded' },
      'abc',
    ],
    [
      'stall after ten chunks',
      { ...texts, fault: { type: 'stall', after: 10 } },
      { class: 'stalled' },
      text.slice(0, 10),
    ],
    ['stall after the headers', { ...texts, fault: { type: 'stall' } }, { class: 'stalled' }, ''],
    ['a socket that is cut', { ...texts, fault: { type: 'cut', after: 3 } }, { class: 'connection' }, 'abc'],
    [
      'an end without reset, finish or [DONE]',
      { ...texts, fault: { type: 'end', after: 3 } },
      { class: 'connection' },
      'abc',
    ],
    ['a page in place of a stream', { ...texts, fault: { type: 'body' } }, { class: 'server' }, ''],
    ['a gateway’s 502', { ...texts, fault: { type: 'body', status: 502 } }, { class: 'server', status: 502 }, ''],
  ])('%s', async (_, turn, expected, before) => {
    const { ask } = await serve(api, turn)
    const first = await ask()
    expect(first.error).toMatchObject({ name: 'ModelFailure', ...expected })
    expect(first.text).toBe(before)
    const second = await ask(1)
    expect(second.error).toBeUndefined()
    expect(second.text).toBe(text)
  })

  test.each<[string, ServerTurn]>([
    ['a chunk without delta', { ...texts, fault: { type: 'no-delta' } }],
    ['null content between texts', { ...texts, reasoning: 'hm', fault: { type: 'nulls' } }],
    ['keep-alives for longer than the idle limit', { ...texts, fault: { type: 'keep-alive', after: 2, ms: 500 } }],
  ])('%s does no harm', async (_, turn) => {
    const { ask } = await serve(api, turn)
    const { error, text: whole } = await ask()
    expect(error).toBeUndefined()
    expect(whole).toBe(text)
  })

  test.skipIf(api === 'google')('null and empty fields between the pieces of a call do no harm', async () => {
    const calls = [
      { name: 'Bash', input: { command: 'ls' }, id: 'same' },
      { name: 'Bash', raw: '{"command": "x",}', id: 'same' },
      { name: 'Read', raw: '', id: '' },
    ]
    const { ask } = await serve(api, { calls, chunk: 3, fault: { type: 'nulls' } })
    const { parts, error } = await ask()
    expect(error).toBeUndefined()
    expect(
      parts.filter((part) => part.type === 'call.start' || part.type === 'call.end' || part.type === 'finish'),
    ).toEqual([
      { type: 'call.start', id: 'c0', name: 'Bash', wireId: 'same' },
      { type: 'call.end', id: 'c0', name: 'Bash', text: '{"command":"ls"}' },
      { type: 'call.start', id: 'c1', name: 'Bash', wireId: 'same' },
      { type: 'call.start', id: 'c2', name: 'Read', wireId: '' },
      { type: 'call.end', id: 'c1', name: 'Bash', text: '{"command": "x",}' },
      { type: 'call.end', id: 'c2', name: 'Read', text: '' },
      { type: 'finish', reason: 'calls', usage: expect.any(Object) },
    ] satisfies ModelPart[])
  })

  test('429 says how long to wait: in seconds, in milliseconds, as a date', async () => {
    const seconds = await serve(api, { text, fail: { class: 'rate_limit', retryAfter: 3000 } })
    expect((await seconds.ask()).error).toMatchObject({ class: 'rate_limit', status: 429, retryAfter: 3000 })
    const fine = await serve(api, { text, fail: { class: 'rate_limit', retryAfter: 1234 } })
    expect((await fine.ask()).error).toMatchObject({ retryAfter: 1234 })
    const date = await serve(api, { text, fault: { type: 'body', status: 429, body: '{}', retryDateMs: 5000 } })
    const { error } = await date.ask()
    expect(error).toMatchObject({ class: 'rate_limit', retryAfter: expect.any(Number) })
    expect((error as { retryAfter: number }).retryAfter).toBeGreaterThan(3000)
  })
})

describe('faults of chat servers', () => {
  test('a whole JSON reply, although a stream was asked for, is read', async () => {
    const message = {
      role: 'assistant',
      content: 'hi',
      reasoning_content: 'hm',
      tool_calls: [{ id: '', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
    }
    const body = JSON.stringify({
      id: 'r',
      choices: [{ message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    })
    const { ask } = await serve('openai-chat', { fault: { type: 'body', contentType: 'application/json', body } })
    const { parts, error } = await ask()
    expect(error).toBeUndefined()
    expect(deltas(parts, 'text.delta') + deltas(parts, 'reasoning.delta')).toBe('hihm')
    expect(parts.at(-1)).toMatchObject({ reason: 'calls', usage: { input: 4, output: 2 } })
    expect(parts).toContainEqual({ type: 'call.end', id: 'c0', name: 'Bash', text: '{}' })
  })

  test('a reply without a finish reason counts when the provider says [DONE]', async () => {
    const body = 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'
    const { ask } = await serve('openai-chat', { fault: { type: 'body', contentType: 'text/plain', body } })
    const { parts, error } = await ask()
    expect(error).toBeUndefined()
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: null })
  })

  test('garbage in the middle of a stream is the server’s failure, a chunk without choices is not', async () => {
    const chunk = (content: string) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`
    const serveBody = (body: string) =>
      serve('openai-chat', { fault: { type: 'body', contentType: 'text/event-stream', body } })
    const broken = await serveBody(`${chunk('a')}data: {"choices":[{"del\n\n`)
    expect(await broken.ask()).toMatchObject({ error: { class: 'server' }, text: 'a' })
    const extra = await serveBody(`${chunk('a')}data: {"x":1}\n\n${chunk('b')}data: [DONE]\n\n`)
    expect(await extra.ask()).toMatchObject({ error: undefined, text: 'ab' })
    const error = await serveBody(`${chunk('a')}data: {"error":"rate limit exceeded"}\n\n`)
    expect(await error.ask()).toMatchObject({ error: { class: 'rate_limit' }, text: 'a' })
  })

  test('nobody there, and a listener that never answers', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const ask = async (at: number) => {
      const timeouts = { connect: 0.5, firstByte: 0.1, idle: 0.1 }
      const model = await openAt(`http://127.0.0.1:${at}`, timeouts)
      return collect(model.stream(modelRequest(), never))
    }
    expect((await ask(port)).error).toMatchObject({
      class: 'timeout',
      message: expect.stringContaining('did not begin to answer'),
    })
    await new Promise((resolve) => silent.close(resolve))
    expect((await ask(port)).error).toMatchObject({
      class: 'connection',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('an abort or an early leave closes the socket', async () => {
    let closed = 0
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('close', () => closed++)
      socket.once('data', () => {
        const frame = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frame}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const model = await openAt(`http://127.0.0.1:${port}/v1`)
    for await (const part of model.stream(modelRequest(), never)) if (part.type === 'text.delta') break
    const abort = new AbortController()
    const reason = { why: 'not even an Error' }
    const aborted = collect(model.stream(modelRequest(), abort.signal))
    setTimeout(() => abort.abort(reason), 30)
    expect((await aborted).error).toBe(reason)
    await expect.poll(() => closed).toBe(2)
    server.close()
  })
})
