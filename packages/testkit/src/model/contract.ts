// The contract of the Model port: every adapter runs this suite. The test functions come from the caller's runner, so
// that this package loads without one.
import assert from 'node:assert/strict'
import type { Model, ModelPart } from '@tenon/core'
import type { ServerTurn } from '../model-server/turn.ts'
import {
  assistantMessage,
  callPart,
  collect,
  deltas,
  modelRequest,
  modelTool,
  toolMessage,
  userMessage,
} from './request.ts'
import { streamProblems } from './stream-law.ts'

/** Makes a model that plays `turns`: itself, or through a server that does. */
export type MakeModel = (turns: readonly ServerTurn[]) => Promise<{ readonly model: Model; close(): Promise<void> }>

export interface ModelContractOptions {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: () => Promise<void>) => void
  /** True for a wire on which arguments are an object: text that is none cannot come over it. */
  readonly objectArguments?: boolean
}

type Body = (model: Model) => Promise<void>

const tools = ['Read', 'Bash', 'NoSuchTool'].map(modelTool)
const never = new AbortController().signal

export function modelContract(name: string, make: MakeModel, options: ModelContractOptions): void {
  const { describe, test, objectArguments = false } = options
  describe(`${name} keeps the contract of Model`, () => {
    for (const [title, turns, body] of cases) {
      if (objectArguments && title.startsWith('argument text')) continue
      test(title, async () => {
        const { model, close } = await make(turns)
        try {
          await body(model)
        } finally {
          await close()
        }
      })
    }
  })
}

const ask = (model: Model, fields: Parameters<typeof modelRequest>[0] = {}, signal: AbortSignal = never) =>
  collect(model.stream(modelRequest({ tools, ...fields }), signal))

async function answer(model: Model, fields: Parameters<typeof modelRequest>[0] = {}): Promise<readonly ModelPart[]> {
  const { parts, error } = await ask(model, fields)
  assert.equal(error, undefined)
  assert.deepEqual(streamProblems(parts), [])
  return parts
}

const callsIn = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'call.end' ? [[part.name, part.text]] : []))
const wireIdsIn = (parts: readonly ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'call.start' ? [part.wireId] : []))
const finishOf = (parts: readonly ModelPart[]) => parts.flatMap((part) => (part.type === 'finish' ? [part.reason] : []))

/** Whatever was streamed before it failed is well formed too. */
async function failure(model: Model, fields: Parameters<typeof modelRequest>[0] = {}): Promise<object> {
  const { parts, error } = await ask(model, fields)
  assert.deepEqual(streamProblems(parts, { complete: false }), [])
  assert.ok(error instanceof Error)
  const { class: failureClass, status, retryAfter } = error as Error & Record<string, unknown>
  return { name: error.name, class: failureClass, status, retryAfter, text: deltas(parts, 'text.delta') }
}

const unicode = 'naïve 😀 \u2028 日本語\u0000\n'.repeat(5)
const strayComma = `{"command":"${'x'.repeat(60_000)}",}`

const cases: readonly (readonly [name: string, turns: readonly ServerTurn[], body: Body])[] = [
  [
    'text arrives in deltas that join to the whole',
    [{ text: unicode, chunk: 1 }],
    async (model) => {
      const parts = await answer(model)
      assert.equal(deltas(parts, 'text.delta'), unicode)
      assert.ok(parts.length > 50)
      assert.deepEqual(finishOf(parts), ['stop'])
    },
  ],
  [
    'reasoning is a block of its own, before the text',
    [{ reasoning: 'let me see', text: 'done', chunk: 3 }],
    async (model) => {
      const parts = await answer(model)
      assert.equal(deltas(parts, 'reasoning.delta'), 'let me see')
      const order = parts.flatMap((part) => (part.type.endsWith('.start') ? [part.type] : []))
      // A proof of the text may follow as an empty block.
      assert.deepEqual(order.slice(0, 2), ['reasoning.start', 'text.start'])
    },
  ],
  [
    'calls keep order, names, argument text and the ids of the wire, empty and doubled ones too',
    [
      {
        text: 'both',
        calls: [
          { name: 'Read', input: { file_path: 'a' }, id: 'x' },
          { name: 'Bash', input: { command: 'ls' }, id: 'x' },
          { name: 'BASH', raw: '{}', id: '' },
          { name: 'NoSuchTool', raw: '{}', id: '' },
        ],
      },
    ],
    async (model) => {
      const parts = await answer(model)
      assert.deepEqual(callsIn(parts), [
        ['Read', '{"file_path":"a"}'],
        ['Bash', '{"command":"ls"}'],
        ['BASH', '{}'],
        ['NoSuchTool', '{}'],
      ])
      assert.deepEqual(wireIdsIn(parts), ['x', 'x', '', ''])
      assert.deepEqual(finishOf(parts), ['calls'])
    },
  ],
  [
    'argument text that is cut, empty or not JSON is passed on as it stands',
    [{ calls: ['{"command": "l', '', strayComma, '```json\n{}\n```', '"{}"'].map((raw) => ({ name: 'Bash', raw })) }],
    async (model) => {
      const texts = callsIn(await answer(model)).map(([, text]) => text)
      assert.deepEqual(texts, ['{"command": "l', '', strayComma, '```json\n{}\n```', '"{}"'])
    },
  ],
  [
    'finish reasons are told apart',
    [
      { text: 'a', finish: 'length' },
      { text: 'b', finish: 'refused' },
    ],
    async (model) => {
      assert.deepEqual(finishOf(await answer(model)), ['length'])
      const messages = [userMessage('a'), assistantMessage([{ type: 'text', text: 'a' }]), userMessage('b')]
      assert.deepEqual(finishOf(await answer(model, { messages })), ['refused'])
    },
  ],
  [
    'usage counts are disjoint, reasoning within output',
    [{ text: 'a', usage: { input: 10, cacheRead: 90, output: 7, reasoning: 3 } }],
    async (model) => {
      const parts = await answer(model)
      const usage = parts.flatMap((part) => (part.type === 'finish' ? [part.usage] : []))
      assert.deepEqual(usage, [{ input: 10, cacheRead: 90, cacheWrite: 0, output: 7, reasoning: 3 }])
    },
  ],
  [
    'a failure before the first delta has its class, status and wait; a retry gets the turn',
    [{ text: 'ok', fail: { class: 'rate_limit', status: 429, retryAfter: 3000, times: 2 } }],
    async (model) => {
      const limited = { name: 'ModelFailure', class: 'rate_limit', status: 429, retryAfter: 3000, text: '' }
      assert.deepEqual(await failure(model), limited)
      assert.deepEqual(await failure(model, { try: 1 }), limited)
      assert.equal(deltas(await answer(model, { try: 2 }), 'text.delta'), 'ok')
    },
  ],
  [
    'a failure after deltas is thrown after them',
    [{ text: 'abcdef', chunk: 2, fail: { class: 'overloaded', after: 2 } }],
    async (model) => {
      const { name, class: failureClass, text } = (await failure(model)) as Record<string, unknown>
      assert.deepEqual([name, failureClass, text], ['ModelFailure', 'overloaded', 'abcd'])
      assert.equal(deltas(await answer(model, { try: 1 }), 'text.delta'), 'abcdef')
    },
  ],
  [
    'each request gets the turn that it asks for, and results reach the model',
    [{ calls: [{ name: 'Read', input: {} }] }, { text: 'two', expect: { last: 'contents of a', tools: ['Read'] } }],
    async (model) => {
      await answer(model)
      const messages = [
        userMessage('go'),
        assistantMessage([callPart('c1', 'Read', {})]),
        toolMessage(['c1', 'Read', 'contents of a']),
      ]
      assert.equal(deltas(await answer(model, { messages }), 'text.delta'), 'two')
    },
  ],
  [
    'what the script does not expect is bad_request and names the turn',
    [{ text: 'a', expect: { last: 'bye' } }],
    async (model) => {
      const { error } = await ask(model)
      assert.equal((error as { class?: string }).class, 'bad_request')
      assert.match(String(error), /turn 1/)
    },
  ],
  [
    'an aborted signal stops it before it starts, with the signal’s reason',
    [{ text: 'a' }],
    async (model) => {
      const reason = new Error('stop')
      assert.equal((await ask(model, {}, AbortSignal.abort(reason))).error, reason)
    },
  ],
  [
    'an abort in the middle is obeyed at once, with the signal’s reason',
    [{ text: 'abcdef', chunk: 2, stallMs: 60_000 }],
    async (model) => {
      const reason = new Error('stop')
      const abort = new AbortController()
      const parts: ModelPart[] = []
      const reading = (async () => {
        for await (const part of model.stream(modelRequest({ tools }), abort.signal)) {
          parts.push(part)
          if (part.type === 'text.delta') setTimeout(() => abort.abort(reason), 5)
        }
      })()
      await assert.rejects(reading, (error) => error === reason)
      assert.equal(deltas(parts, 'text.delta'), 'ab')
    },
  ],
  [
    'a reader may leave early',
    [{ text: 'abcdef', chunk: 2, stallMs: 60_000 }],
    async (model) => {
      for await (const part of model.stream(modelRequest({ tools }), never)) if (part.type === 'text.delta') break
    },
  ],
  [
    'two streams at once do not mix',
    [{ text: 'abcdef', chunk: 1, delayMs: 1 }],
    async (model) => {
      const both = await Promise.all([answer(model), answer(model)])
      assert.deepEqual(
        both.map((parts) => deltas(parts, 'text.delta')),
        ['abcdef', 'abcdef'],
      )
    },
  ],
]
