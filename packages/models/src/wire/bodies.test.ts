// What each wire format's body looks like, and how a whole JSON reply is read.
import type { ModelRequest } from '@tenon/core'
import type { JsonObject } from '@tenon/protocol'
import {
  assistantMessage,
  callPart,
  collect,
  deltas,
  type ModelServerOptions,
  modelRequest,
  modelTool,
  type ServerTurn,
  startModelServer,
  toolMessage,
  userMessage,
} from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { type Api, apis } from '../providers/entry.ts'
import { type WireChoice, wireOver } from '../testing/wire.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const history = [
  userMessage('a'),
  assistantMessage([callPart('call_1', 'Read', {})]),
  toolMessage(['call_1', 'Read', 'x']),
  assistantMessage([callPart('call_2', 'Read', {})]),
  toolMessage(['call_2', 'Read', 'y']),
]
const base: Partial<ModelRequest> = {
  system: { stable: [{ id: 'a', text: 'S' }], volatile: [{ id: 'b', text: 'V' }] },
  tools: [modelTool('Read')],
  messages: history,
}

async function sent(
  api: Api,
  fields: Partial<ModelRequest> = {},
  options: Partial<ModelServerOptions & WireChoice> = {},
) {
  const script = [{ text: 'a' }, { text: 'b' }, { text: 'ok' }]
  const { model, server, close } = await startWire(api, { script, strict: true, ...options })
  const { parts, error } = await collect(model.stream(modelRequest({ ...base, ...fields }), never))
  await close()
  expect(error).toBeUndefined()
  const warnings = parts.flatMap((part) => (part.type === 'meta' ? (part.warnings ?? []) : []))
  const { body = {}, headers = {}, path } = server.requests[0] ?? {}
  return { body, headers, path, warnings }
}

describe('anthropic', () => {
  const effort = (name: 'none' | 'low' | 'high' | 'max') => ({ reasoning: { effort: name } })

  test('marks for the cache: both ends of the system text, the last two messages of user or tool', async () => {
    const { body, headers, path } = await sent('anthropic', {}, { entry: { apiKey: 'k' } })
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(path).toBe('/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })
    expect(headers).not.toHaveProperty('anthropic-beta')
    expect(body.system).toEqual([
      { type: 'text', text: 'S', ...mark },
      { type: 'text', text: 'V', ...mark },
    ])
    const marked = (body.messages as readonly JsonObject[]).map((message) =>
      JSON.stringify(message).includes('cache_control'),
    )
    expect(marked).toEqual([false, false, true, false, true])
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4)
    expect(body.max_tokens).toBe(8192)
  })

  test('thinking at will: an effort and no budget', async () => {
    const { body, warnings } = await sent('anthropic', effort('max'), { id: 'claude-opus-4-8' })
    expect(body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
      max_tokens: 128_000,
    })
    expect(warnings).toEqual([])
    const off = await sent('anthropic', effort('none'), { id: 'claude-opus-4-8' })
    expect(off.body).toMatchObject({ thinking: { type: 'disabled' } })
  })

  test('thinking by budget: within the cap, and off where the calls before were written without it', async () => {
    const first = {
      messages: [userMessage('a')],
      output: { max: 4000 },
      ...effort('high'),
      sampling: { temperature: 0.5 },
    }
    const thinks = await sent('anthropic', first, { id: 'claude-haiku-4-5' })
    expect(thinks.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 3000 }, max_tokens: 4000 })
    expect(thinks.body).not.toHaveProperty('temperature')
    expect(thinks.headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14')
    const foreign = await sent('anthropic', effort('high'), { id: 'claude-haiku-4-5' })
    expect(foreign.body).not.toHaveProperty('thinking')
    expect(foreign.warnings[0]).toMatch(/^thinking is off/)
  })

  test('prompt and cap share the window', async () => {
    const messages = [userMessage('x '.repeat(30_000))]
    const { body } = await sent('anthropic', { messages }, { model: { context: 20_000, output: 8000 } })
    expect(Number(body.max_tokens)).toBeLessThan(5000)
    expect(Number(body.max_tokens)).toBeGreaterThan(1000)
  })
})

test('openai-responses: nothing stored, reasoning encrypted, one key for the cache, ids of calls', async () => {
  const { body, path } = await sent(
    'openai-responses',
    { reasoning: { effort: 'minimal' } },
    { provider: 'openai', id: 'gpt-5.4' },
  )
  expect(path).toBe('/v1/responses')
  expect(body).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low', summary: 'auto' },
    prompt_cache_key: 'ses_test',
    input: [
      { role: 'developer', content: 'S' },
      { role: 'developer', content: 'V' },
      { role: 'user' },
      { type: 'function_call', call_id: 'call_1', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'x' },
      { type: 'function_call', call_id: 'call_2' },
      { type: 'function_call_output', call_id: 'call_2' },
    ],
  })
})

test('google: responses by name, a stand-in for calls of others, budgets and levels, plain schemas', async () => {
  const tool = {
    ...modelTool('Read'),
    schema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } },
  }
  const three = await sent('google', { tools: [tool], reasoning: { effort: 'low' } }, { id: 'gemini-3.1-pro-preview' })
  expect(three.path).toBe('/v1beta/models/gemini-3.1-pro-preview:streamGenerateContent')
  expect(three.body.generationConfig).toEqual({ thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } })
  const contents = three.body.contents as readonly JsonObject[]
  expect(contents[1]?.parts).toMatchObject([
    { thoughtSignature: 'skip_thought_signature_validator', functionCall: { name: 'Read' } },
  ])
  expect(contents[2]?.parts).toMatchObject([{ functionResponse: { name: 'Read' } }])
  const parameters = { type: 'object', properties: { a: { type: 'string' } } }
  expect(three.body.tools).toMatchObject([
    { functionDeclarations: [{ name: 'Read', parametersJsonSchema: parameters }] },
  ])
  expect(JSON.stringify(three.body.tools)).not.toContain('$')
  expect(three.warnings).toEqual([])
  const two = await sent('google', { reasoning: { effort: 'high' }, output: { max: 8000 } }, { id: 'gemini-2.5-pro' })
  expect(two.body.generationConfig).toMatchObject({ maxOutputTokens: 8000, thinkingConfig: { thinkingBudget: 6000 } })
})

describe.each(apis)('%s', (api) => {
  test.each(['', '/', api === 'google' ? '/v1beta/' : '/v1/'])(
    'an address that ends in "%s" is mended',
    async (end) => {
      const { model, server, close } = await startWire(api, { script: [{ text: 'ok' }] })
      const again = await startWire(api, { script: [], entry: { baseUrl: `${server.origin}${end}` } })
      const { error } = await collect(again.model.stream(modelRequest(), never))
      expect(error).toBeUndefined()
      expect(model).toBeDefined()
      await Promise.all([close(), again.close()])
    },
  )

  test('the key goes where the entry says, headers and params are laid on top', async () => {
    const { headers, body } = await sent(
      api,
      {},
      {
        strict: false,
        entry: {
          apiKey: 'k',
          auth: 'bearer',
          headers: { 'x-team': 'a' },
          params: { extra: { a: 1 }, [api === 'google' ? 'labels' : 'metadata']: { b: 'c' } },
        },
      },
    )
    expect(headers).toMatchObject({ authorization: 'Bearer k', 'x-team': 'a', 'user-agent': 'tenon' })
    expect(body.extra).toEqual({ a: 1 })
  })

  test('a whole JSON reply, although a stream was asked for, is read as the same reply', async () => {
    const turn: ServerTurn = {
      reasoning: 'hm',
      text: 'hello',
      calls: [{ name: 'Read', input: { a: 1 }, id: 'x' }],
      usage: { input: 4, output: 5, reasoning: 2 },
    }
    const streamed = await startWire(api, { script: [turn] })
    const one = await collect(streamed.model.stream(modelRequest(), never))
    // Asked again without `stream`, the server says the same as one body.
    const { path = '', body = {} } = streamed.server.requests[0] ?? {}
    const plain = path.replace('streamGenerateContent', 'generateContent')
    const { stream: _, ...unstreamed } = body
    const answer = await fetch(`${streamed.server.origin}${plain}`, {
      method: 'POST',
      body: JSON.stringify(unstreamed),
    })
    const fault = { type: 'body' as const, contentType: 'application/json', body: await answer.text() }
    const whole = await startWire(api, { script: [{ fault }] })
    const two = await collect(whole.model.stream(modelRequest(), never))
    await Promise.all([streamed.close(), whole.close()])
    expect([one.error, two.error]).toEqual([undefined, undefined])
    for (const type of ['text.delta', 'reasoning.delta', 'call.delta'] as const)
      expect(deltas(two.parts, type)).toBe(deltas(one.parts, type))
    expect(two.parts.at(-1)).toEqual(one.parts.at(-1))
    const seals = (parts: typeof one.parts) => parts.filter((part) => part.type === 'reasoning.end')
    expect(seals(two.parts)).toEqual(seals(one.parts))
  })
})

test.each(apis)('%s: a reply of a model with a price has its cost', async (api) => {
  const usage = { input: 10, cacheRead: 100, cacheWrite: 0, output: 7, reasoning: 3 }
  const price = { input: 2, output: 8, cacheRead: 0.5 }
  const { model, close } = await startWire(api, { script: [{ text: 'a', usage }], model: { price } })
  const { parts } = await collect(model.stream(modelRequest(), never))
  await close()
  const nanoUsd = 10 * 2000 + 100 * 500 + 7 * 8000
  expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage, cost: { nanoUsd, source: 'config' } })
})
