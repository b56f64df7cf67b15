// Each quirk row, seen in the body that reaches the server.
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
  startModelServer,
  toolMessage,
  userMessage,
} from '@tenon/testkit'
import { expect, test } from 'vitest'
import { type WireChoice, wireOver } from '../testing/wire.ts'
import { quirksOf } from './table.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const hello: Partial<ModelRequest> = {
  tools: [modelTool('Read')],
  reasoning: { effort: 'high' },
  sampling: { temperature: 0.2, topP: 0.9, stop: ['x'] },
  output: { max: 500 },
}

async function sent(options: Partial<ModelServerOptions & WireChoice>, fields: Partial<ModelRequest> = hello) {
  const script = Array.from({ length: 3 }, () => ({ text: 'ok' }))
  const { model, server, close } = await startWire('openai-chat', { script, ...options })
  const { parts, error } = await collect(model.stream(modelRequest(fields), never))
  await close()
  expect(error).toBeUndefined()
  return {
    body: server.requests[0]?.body ?? {},
    warnings: parts.flatMap((part) => (part.type === 'meta' ? (part.warnings ?? []) : [])),
    parts,
  }
}

test('a plain server gets plain fields', async () => {
  const { body, warnings } = await sent({ id: 'unknown-1' })
  expect(body).toMatchObject({
    max_tokens: 500,
    temperature: 0.2,
    top_p: 0.9,
    stop: ['x'],
    stream_options: { include_usage: true },
  })
  expect(body).not.toHaveProperty('reasoning_effort')
  expect(warnings).toEqual(['effort: unknown-1 takes none; high was left out.'])
})

test('OpenAI’s thinkers', async () => {
  const { body, warnings } = await sent({ provider: 'openai', id: 'gpt-5' })
  expect(body).toMatchObject({ max_completion_tokens: 500, reasoning_effort: 'high', prompt_cache_key: 'ses_test' })
  expect((body.messages as readonly JsonObject[])[0]?.role).toBe('developer')
  for (const key of ['max_tokens', 'temperature', 'top_p', 'stop']) expect(body).not.toHaveProperty(key)
  expect(warnings).toEqual(['gpt-5 takes no temperature or top-p; left out.'])
})

test('rows of the settings stand before all others', async () => {
  const quirks = {
    completionTokens: false,
    noStreamUsage: true,
    noParallelCalls: true,
    stringContent: true,
    noStop: true,
  }
  const messages = [
    {
      role: 'user' as const,
      parts: [
        { type: 'image' as const, mime: 'image/png', url: 'https://a.example/x' },
        { type: 'text' as const, text: 'see' },
      ],
    },
  ]
  const { body, parts } = await sent({ provider: 'openai', id: 'gpt-4.1', model: { quirks } }, { ...hello, messages })
  expect(body).toMatchObject({ max_tokens: 500, parallel_tool_calls: false })
  expect(body).not.toHaveProperty('stream_options')
  expect(body).not.toHaveProperty('stop')
  expect((body.messages as readonly JsonObject[])[1]?.content).toBe(
    '[image image/png, not shown: this model sees no images]\n\nsee',
  )
  expect(parts.at(-1)).toMatchObject({ usage: null })
})

const history = (provider: string) => [
  userMessage('a'),
  assistantMessage(
    [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'x' }, callPart('call_1', 'Read', {})],
    provider,
  ),
  toolMessage(['call_1', 'Read', 'y']),
]

test.each<[string, string, string, JsonObject]>([
  ['deepseek', 'deepseek-v4-pro', 'https://api.deepseek.com', { reasoning_content: 'hm', content: 'x' }],
  ['moonshot', 'kimi-k3', 'https://api.moonshot.ai', { reasoning_content: 'hm', content: 'x' }],
  ['zai', 'glm-5.2', 'https://api.z.ai', { reasoning_content: 'hm', content: 'x' }],
  ['openrouter', 'deepseek/x', 'https://openrouter.ai', { reasoning: 'hm', content: 'x' }],
  ['minimax', 'MiniMax-M3', 'https://api.minimax.io', { content: '<think>\nhm\n</think>\n\nx' }],
  ['mistral', 'magistral-medium-latest', 'https://api.mistral.ai', { content: 'x' }],
])('%s gets its own reasoning back in its own field', async (provider, id, url, expected) => {
  const quirks = quirksOf({ provider, url, model: id })
  const { body } = await sent(
    { provider, id, model: { quirks } },
    { messages: history(provider), tools: [modelTool('Read')] },
  )
  const { role: _, tool_calls: __, ...said } = (body.messages as readonly JsonObject[])[2] ?? {}
  expect(said).toEqual(expected)
})

test('Mistral’s ids have nine letters or digits, and results still find their calls', async () => {
  const { body } = await sent(
    { provider: 'mistral', id: 'm', strict: true },
    { messages: history('x'), tools: [modelTool('Read')] },
  )
  expect(JSON.stringify(body)).toMatch(/"tool_call_id":"c00000000"/)
  expect(JSON.stringify(body)).toMatch(/"id":"c00000000"/)
})

test('thoughts in the text become reasoning, wherever the chunks are cut', async () => {
  const script = [{ text: '<think>let me see</think>\n\nthe answer', chunk: 3, calls: [{ name: 'Read', input: {} }] }]
  const { parts } = await sent({ provider: 'vllm', script })
  expect(deltas(parts, 'reasoning.delta')).toBe('let me see')
  expect(deltas(parts, 'text.delta')).toBe('the answer')
})

test('OpenRouter’s structured reasoning comes back as it was', async () => {
  const details = [
    { type: 'reasoning.text', index: 0, text: 'let ', signature: null },
    { type: 'reasoning.text', index: 0, text: 'me', signature: 'sig' },
    { type: 'reasoning.encrypted', index: 1, data: 'abc' },
  ]
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const body = `${details.map((detail) => chunk({ reasoning_details: [detail] })).join('')}${chunk({ content: 'hi' })}${chunk({}, 'stop')}data: [DONE]\n\n`
  const script = [{ fault: { type: 'body' as const, contentType: 'text/event-stream', body } }]
  const { parts } = await sent({ provider: 'openrouter', id: 'x-ai/grok', script })
  const sealed = parts.find((part) => part.type === 'reasoning.end')
  const joined = [
    { type: 'reasoning.text', index: 0, text: 'let me', signature: 'sig' },
    { type: 'reasoning.encrypted', index: 1, data: 'abc' },
  ]
  expect(sealed).toMatchObject({ meta: { reasoning_details: joined } })
  expect(deltas(parts, 'reasoning.delta')).toBe('let me')
  const messages = [
    userMessage('a'),
    assistantMessage(
      [
        { type: 'reasoning', text: 'let me', meta: { reasoning_details: joined } },
        { type: 'text', text: 'hi' },
      ],
      'openrouter',
    ),
    userMessage('b'),
  ]
  const again = await sent({ provider: 'openrouter', id: 'x-ai/grok' }, { messages })
  expect((again.body.messages as readonly JsonObject[])[2]).toEqual({
    role: 'assistant',
    content: 'hi',
    reasoning_details: joined,
  })
})
