import type { ModelPart } from '@tenon/core'
import { assistantMessage, collect, deltas, modelRequest, modelTool, toolMessage, userMessage } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { createScriptModel } from './model.ts'

const run = (
  model: ReturnType<typeof createScriptModel>,
  fields: Parameters<typeof modelRequest>[0] = {},
  signal: AbortSignal = new AbortController().signal,
) => collect(model.stream(modelRequest(fields), signal))

const afterOne = [
  userMessage('hello'),
  assistantMessage([{ type: 'text', text: 'one' }]),
  userMessage('and now?'),
] as const

describe('script model', () => {
  test('streams reasoning, text and calls in order, in chunks', async () => {
    const model = createScriptModel([
      {
        reasoning: 'hm',
        text: 'abcdef',
        chunk: 4,
        calls: [
          { name: 'Read', input: { file_path: 'a' } },
          { name: 'Bash', raw: '{"comm' },
        ],
        usage: { input: 3, output: 2 },
      },
    ])
    const { parts, error } = await run(model)
    expect(error).toBeUndefined()
    expect(parts).toEqual([
      { type: 'reasoning.start', id: 'p0' },
      { type: 'reasoning.delta', id: 'p0', text: 'hm' },
      { type: 'reasoning.end', id: 'p0' },
      { type: 'text.start', id: 'p1' },
      { type: 'text.delta', id: 'p1', text: 'abcd' },
      { type: 'text.delta', id: 'p1', text: 'ef' },
      { type: 'text.end', id: 'p1' },
      { type: 'call.start', id: 'p2', name: 'Read', wireId: 'call_1_1' },
      ...['{"fi', 'le_p', 'ath"', ':"a"', '}'].map((text): ModelPart => ({ type: 'call.delta', id: 'p2', text })),
      { type: 'call.end', id: 'p2', name: 'Read', text: '{"file_path":"a"}' },
      { type: 'call.start', id: 'p3', name: 'Bash', wireId: 'call_1_2' },
      ...['{"co', 'mm'].map((text): ModelPart => ({ type: 'call.delta', id: 'p3', text })),
      { type: 'call.end', id: 'p3', name: 'Bash', text: '{"comm' },
      {
        type: 'finish',
        reason: 'calls',
        usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      },
    ] satisfies ModelPart[])
  })

  test('serves the turn that the request asks for, again on a retry and in a new process', async () => {
    const turns = [{ text: 'one' }, { text: 'two' }]
    const model = createScriptModel(turns)
    const texts = [
      await run(model),
      await run(model, { try: 1 }),
      await run(model, { messages: afterOne }),
      await run(createScriptModel(turns), { messages: afterOne }),
    ].map(({ parts }) => deltas(parts, 'text.delta'))
    expect(texts).toEqual(['one', 'one', 'two', 'two'])
  })

  test('fails as often as it is told, after as many deltas, then serves the turn', async () => {
    const turn = {
      text: 'abcd',
      chunk: 1,
      fail: { class: 'rate_limit', status: 429, retryAfter: 3000, times: 2, after: 2 },
    }
    const model = createScriptModel([turn as { text: string }])
    const first = await run(model)
    expect(first.error).toMatchObject({ name: 'ModelFailure', class: 'rate_limit', status: 429, retryAfter: 3000 })
    expect(deltas(first.parts, 'text.delta')).toBe('ab')
    expect((await run(model, { try: 1 })).error).toMatchObject({ class: 'rate_limit' })
    expect((await run(model, { try: 2 })).error).toBeUndefined()
    expect((await run(createScriptModel([turn as { text: string }]), { try: 2 })).error).toBeUndefined()
    expect((await run(model)).error).toBeUndefined()
  })

  test('names the turn when it runs out, is not what was expected, or needs the wire', async () => {
    const model = createScriptModel(
      [{ expect: { last: 'bye' } }, { expect: { tools: ['Bash', 'Read'] } }, { fault: { type: 'cut' } }],
      { name: 'a.jsonc' },
    )
    const reply = assistantMessage([{ type: 'text', text: 'x' }])
    const errors = [
      await run(model),
      await run(model, { messages: [userMessage('a'), reply], tools: [modelTool('Read')] }),
      await run(model, { messages: [userMessage('a'), reply, userMessage('b'), reply] }),
      await run(model, { messages: [userMessage('a'), reply, reply, reply] }),
    ].map(({ error }) => error)
    expect(errors).toMatchObject([
      {
        class: 'bad_request',
        message: expect.stringMatching(/^a\.jsonc, turn 1: expected .* "bye"; it is "hello"\.$/),
      },
      { class: 'bad_request', message: 'a.jsonc, turn 2: expected the tools Bash; offered are Read.' },
      { class: 'bad_request', message: expect.stringContaining('turn 3: the fault "cut" needs the wire') },
      { class: 'bad_request', message: 'a.jsonc, turn 4: the script has only 3 turns.' },
    ])
  })

  test('sees results in the newest message', async () => {
    const model = createScriptModel([{ text: 'x' }, { text: 'y', expect: { last: 'fail 0' } }])
    const messages = [...afterOne.slice(0, 2), toolMessage(['c', 'Bash', 'pass 3\nfail 0'])]
    expect((await run(model, { messages })).error).toBeUndefined()
  })

  test.each([{ delayMs: 60_000 }, { stallMs: 60_000, chunk: 1 }])(
    'obeys the signal while it waits: %o',
    async (pace) => {
      const reason = new Error('stop')
      const abort = new AbortController()
      setTimeout(() => abort.abort(reason), 20)
      const { error } = await run(createScriptModel([{ text: 'abc', ...pace }]), {}, abort.signal)
      expect(error).toBe(reason)
    },
  )

  test('never splits a surrogate pair', async () => {
    const { parts } = await run(createScriptModel([{ text: 'a😀b', chunk: 2 }]))
    expect(parts.flatMap((part) => (part.type === 'text.delta' ? [part.text] : []))).toEqual(['a😀', 'b'])
  })
})
