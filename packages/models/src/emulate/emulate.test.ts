// Acceptance 24: a model without native tools behind the port.
import type { ModelPart } from '@tenon/core'
import type { JsonObject } from '@tenon/protocol'
import {
  assistantMessage,
  callPart,
  collect,
  deltas,
  modelContract,
  modelRequest,
  modelTool,
  startModelServer,
  streamProblems,
  toolMessage,
  userMessage,
} from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wireOver } from '../testing/wire.ts'
import { createCallScanner } from './scanner.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const callsIn = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'call.end' ? [[part.name, part.text]] : []))

async function say(text: string, fields: Parameters<typeof modelRequest>[0] = {}) {
  const replies = (fields.messages ?? []).filter(({ role }) => role === 'assistant').length
  const script = Array.from({ length: replies + 1 }, () => ({ text, chunk: 3 }))
  const { model, server, close } = await startWire('openai-chat', { script, strict: true, model: { tools: 'prompt' } })
  const { parts, error } = await collect(model.stream(modelRequest({ tools: [tool], ...fields }), never))
  await close()
  expect(error).toBeUndefined()
  expect(streamProblems(parts)).toEqual([])
  return { parts, body: server.requests[0]?.body ?? {} }
}

const tool = {
  ...modelTool('Bash'),
  schema: {
    type: 'object',
    properties: { command: { type: 'string' }, mode: { enum: ['fast', 'slow'] } },
    required: ['command', 'mode'],
  },
}

describe('calls in text', () => {
  test.each<[string, string, readonly (readonly string[])[], string]>([
    [
      'our own form',
      'I look.\n<tool_call name="Bash">\n{"command": "ls"}\n</tool_call>',
      [['Bash', '{"command": "ls"}']],
      'I look.\n',
    ],
    [
      'Hermes',
      '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>',
      [['Bash', '{"command":"ls"}']],
      '',
    ],
    [
      'Qwen-Coder',
      '<tool_call>\n<function=Bash>\n<parameter=command>\nls -l\n</parameter>\n</function>\n</tool_call>',
      [['Bash', '{"command":"ls -l"}']],
      '',
    ],
    [
      'Qwen-Coder, bare',
      '<function=Bash><parameter=command>ls</parameter></function>',
      [['Bash', '{"command":"ls"}']],
      '',
    ],
    [
      'a closing tag inside of a string',
      '<tool_call name="Bash">{"command": "echo </tool_call>"}</tool_call>',
      [['Bash', '{"command": "echo </tool_call>"}']],
      '',
    ],
    [
      'broken JSON is passed on as it stands',
      '<tool_call name="Bash">{"command": }</tool_call>',
      [['Bash', '{"command": }']],
      '',
    ],
    ['cut in the middle', '<tool_call name="Bash">{"command": "l', [['Bash', '{"command": "l']], ''],
    [
      'two, and a result made up',
      '<tool_call name="A">{}</tool_call>\n<tool_call name="B">{}</tool_call>\n<tool_result name="A">x',
      [
        ['A', '{}'],
        ['B', '{}'],
      ],
      '',
    ],
    ['no call', 'a < b and <tool is no call', [], 'a < b and <tool is no call'],
  ])('%s', async (_, text, calls, said) => {
    const { parts } = await say(text)
    expect(callsIn(parts)).toEqual(calls)
    expect(deltas(parts, 'text.delta')).toBe(said)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: calls.length ? 'calls' : 'stop' })
  })

  test('wherever the chunks are cut, the same is found', () => {
    const whole =
      'x <to<tool_call name="Bash">{"c": "}</tool_call>\\""}</tool_call>y<function=A><parameter=b>1</parameter></function>'
    const scan = (pieces: readonly string[]) => {
      const scanner = createCallScanner()
      const found = [...pieces.flatMap((piece) => scanner.take(piece)), ...scanner.end()]
      return found.map((one) => (one.type === 'text' ? one.text : `[${one.name} ${one.text}]`)).join('')
    }
    const expected = 'x <to[Bash {"c": "}</tool_call>\\""}]y[A {"b":"1"}]'
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 10 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
        expect(scan(places.slice(1).map((to, place) => whole.slice(places[place], to)))).toBe(expected)
      }),
    )
  })

  test('a call of 300 kB in small pieces is read in a moment', () => {
    const scanner = createCallScanner()
    const text = `<tool_call name="Write">${JSON.stringify({ content: 'x'.repeat(300_000) })}</tool_call>`
    const startedAt = performance.now()
    const found = [
      ...Array.from({ length: Math.ceil(text.length / 20) }, (_, place) =>
        scanner.take(text.slice(place * 20, place * 20 + 20)),
      ).flat(),
      ...scanner.end(),
    ]
    expect(found).toHaveLength(1)
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })
})

test('the request: tools and a real example in the system text, calls and results as text, no native tools', async () => {
  const messages = [
    userMessage('go'),
    assistantMessage([{ type: 'text', text: 'I look.' }, callPart('c1', 'Bash', { command: 'ls' })], 'anthropic'),
    toolMessage(['c1', 'Bash', 'a.txt']),
    userMessage('and?'),
  ]
  const { body } = await say('ok', { messages })
  expect(body).not.toHaveProperty('tools')
  const [system, , reply, result] = body.messages as readonly JsonObject[]
  expect(system?.content).toContain('<tool_call name="Bash">\n{"command":"…","mode":"fast"}\n</tool_call>')
  expect(system?.content).toContain('## Bash\nThe tool Bash.\nInput: {"type":"object"')
  expect(reply?.content).toBe('I look.\n\n<tool_call name="Bash">\n{"command":"ls"}\n</tool_call>')
  expect(result?.content).toMatch(/<tool_result name="Bash" status="ok">\na\.txt\n<\/tool_result>[\s\S]*and\?/)
  expect(body.stop).toEqual(['<tool_result'])
})

modelContract(
  'emulated tools with nothing emulated',
  (script) => startWire('openai-chat', { script, model: { tools: 'prompt' } }),
  {
    describe,
    test: (name, body) => {
      // Cases that need native tools on the wire are the native model's own.
      if (!/^(calls|argument text|each request)/.test(name)) test(name, body)
    },
  },
)
