import type { ModelRequest } from '@tenon/core'
import type { Json, Part } from '@tenon/protocol'
import {
  assistantMessage,
  callPart,
  collect,
  deltas,
  type ModelServerOptions,
  modelRequest,
  modelTool,
  startModelServer,
  toolMessage,
  userMessage,
} from '@tenon/testkit'
import { expect, test } from 'vitest'
import { type WireChoice, wireOver } from '../testing/wire.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal

/** What reaches a strict server for `fields`. */
async function sent(fields: Partial<ModelRequest>, options: Partial<ModelServerOptions & WireChoice> = {}) {
  const replies = (fields.messages ?? []).filter((message) => message.role === 'assistant').length
  const script = Array.from({ length: replies + 1 }, () => ({ text: 'ok' }))
  const { model, server, close } = await startWire('openai-chat', {
    script,
    strict: true,
    provider: 'acme',
    ...options,
  })
  const { error, parts } = await collect(model.stream(modelRequest(fields), never))
  await close()
  expect(error).toBeUndefined()
  const { body, headers, path } = server.requests[0] ?? {}
  return { body, headers, path, parts }
}

test('a request on the wire', async () => {
  const { body, path } = await sent({
    system: { stable: [{ id: 'a', text: 'A' }], volatile: [{ id: 'b', text: 'B' }] },
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      assistantMessage(
        [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'doing' },
          callPart('c1', 'Read', { file_path: 'a' }),
          callPart('c2', 'Bash', {}),
        ],
        'acme',
      ),
      {
        role: 'tool',
        results: [
          {
            call: 'c1',
            name: 'Read',
            status: 'error',
            content: [{ type: 'error', code: 'file_missing', message: 'No a.', next: 'Look for b.' }],
          },
          { call: 'c2', name: 'Bash', status: 'ok', content: [] },
        ],
      },
    ],
    tools: [modelTool('Read'), modelTool('Bash')],
    toolChoice: 'none',
    output: { max: 100 },
  })
  const tool = (name: string) => ({
    type: 'function',
    function: { name, description: modelTool(name).description, parameters: modelTool(name).schema },
  })
  const call = (id: string, name: string, text: string) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })
  expect(path).toBe('/v1/chat/completions')
  expect(body).toEqual({
    model: 'm',
    max_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: 'one\n\ntwo' },
      {
        role: 'assistant',
        content: 'doing',
        reasoning_content: 'hm',
        tool_calls: [call('c1', 'Read', '{"file_path":"a"}'), call('c2', 'Bash', '{}')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Error (file_missing): No a.\nLook for b.' },
      { role: 'tool', tool_call_id: 'c2', content: '(no output)' },
    ],
    tools: [tool('Read'), tool('Bash')],
    tool_choice: 'none',
  })
})

test('reasoning and opaque call data go back to their own provider only', async () => {
  const meta = { extra_content: { google: { thought_signature: 'sig' } } }
  const call = { ...callPart('c1', 'Read', {}), meta } as Part
  const history = (provider: string) => [
    userMessage('a'),
    assistantMessage([{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'x' }, call], provider),
    toolMessage(['c1', 'Read', 'y']),
  ]
  const reply = async (provider: string) => {
    const { body } = await sent({ messages: history(provider), tools: [modelTool('Read')] })
    return (body?.messages as readonly { [key: string]: Json }[] | undefined)?.[2]
  }
  expect(await reply('acme')).toMatchObject({ reasoning_content: 'hm', tool_calls: [meta] })
  const foreign = await reply('other')
  expect(foreign).not.toHaveProperty('reasoning_content')
  expect(foreign).not.toHaveProperty('tool_calls.0.extra_content')
})

test('names, ids and text that no provider takes are made to fit, and names come back as they were offered', async () => {
  const tools = ['mcp.server/tool', 'mcp_server_tool', 'x'.repeat(80)].map(modelTool)
  const messages = [
    userMessage('lone \ud800 surrogate, and an escaped one: \\ud800'),
    assistantMessage([callPart('a b', 'lost tool!', {}), callPart('a:b', 'mcp.server/tool', { text: 'x' })]),
    toolMessage(['a b', 'lost tool!', 'gone'], ['a:b', 'mcp.server/tool', '']),
  ]
  const { model, server, close } = await startWire('openai-chat', {
    script: [{}, { calls: [{ name: 'mcp_server_tool_2' }, { name: 'mcp_server_tool' }, { name: 'BASH' }] }],
    strict: true,
  })
  const { parts, error } = await collect(model.stream(modelRequest({ messages, tools }), never))
  await close()
  expect(error).toBeUndefined()
  expect(parts.flatMap((part) => (part.type === 'call.end' ? [part.name] : []))).toEqual([
    'mcp_server_tool',
    'mcp.server/tool',
    'BASH',
  ])
  const body = JSON.stringify(server.requests[0]?.body)
  expect(body).toContain('lone \ufffd surrogate, and an escaped one: \\\\ud800')
})

test('a key is sent as a bearer token, none where there is none; headers are added', async () => {
  expect((await sent({}, { entry: { apiKey: 'k', headers: { 'x-team': 'a' } } })).headers).toMatchObject({
    authorization: 'Bearer k',
    'x-team': 'a',
  })
  expect((await sent({})).headers).not.toHaveProperty('authorization')
})

test('images with an address are sent, those without are named; messages are never empty', async () => {
  const image = (url?: string): Part => ({ type: 'image', mime: 'image/png', ...(url && { url }) })
  const messages = [
    { role: 'user' as const, parts: [image('https://a.example/x.png'), { type: 'text' as const, text: 'see' }] },
    assistantMessage([]),
    { role: 'user' as const, parts: [image()] },
    assistantMessage([{ type: 'reasoning', text: 'only thought' }], 'acme'),
    { role: 'user' as const, parts: [] },
  ]
  const { body } = await sent({ messages })
  expect(body?.messages).toMatchObject([
    { role: 'system' },
    {
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
      ],
    },
    { content: '(no text)' },
    { content: '[image image/png, not shown: its bytes are not here]' },
    { content: '(no text)', reasoning_content: 'only thought' },
    { content: '(empty message)' },
  ])
})

test('response id, model and price are passed on', async () => {
  const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'r1', model: 'm-2', ...fields })}\n\n`
  const body =
    chunk({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] }) +
    chunk({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        cost: 0.0012,
        prompt_cache_hit_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    }) +
    'data: [DONE]\n\n'
  const { model, close } = await startWire('openai-chat', {
    script: [{ fault: { type: 'body', contentType: 'text/event-stream', body } }],
  })
  const { parts } = await collect(model.stream(modelRequest(), never))
  await close()
  expect(deltas(parts, 'text.delta')).toBe('hi')
  expect(parts[0]).toEqual({ type: 'meta', responseId: 'r1', model: 'm-2' })
  expect(parts.at(-1)).toEqual({
    type: 'finish',
    reason: 'stop',
    usage: { input: 6, cacheRead: 4, cacheWrite: 0, output: 7, reasoning: 5 },
    cost: { nanoUsd: 1_200_000, source: 'provider' },
  })
})
