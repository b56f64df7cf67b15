// Acceptance H and 10: one conversation, signed thoughts and parallel calls in it, moves between all wire formats. The
// strict mock of each takes every request; what a provider signed comes back to it byte for byte, and to no other.
import type { Model, ModelMessage } from '@tenon/core'
import { collect, modelRequest, modelTool, type ServerTurn, startModelServer, userMessage } from '@tenon/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { type Api, apis } from './providers/entry.ts'
import { replyOf, resultsOf } from './testing/reply.ts'
import { wireOver } from './testing/wire.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const tools = ['Read', 'Bash', 'mcp.server/odd name'].map(modelTool)

/** Models that think, one a format. */
const ids: Readonly<Record<Api, string>> = {
  'openai-chat': 'deepseek-v9',
  'openai-responses': 'gpt-5.4',
  anthropic: 'claude-opus-4-8',
  google: 'gemini-3.1-pro-preview',
}

const turns: readonly ServerTurn[] = Array.from({ length: 16 }, (_, place): ServerTurn => {
  const thought = { reasoning: `thought ${place}\n  ünï €`, ...(place % 3 === 2 && { redacted: true }) }
  if (place % 4 === 3) return { ...thought, text: `done ${place}` }
  const calls = [
    { name: 'Read', input: { file_path: `f${place}`, nested: { a: [1, null] } } },
    { name: place % 2 ? 'mcp_server_odd_name' : 'Bash', input: { command: 'ls' } },
  ]
  return { ...thought, ...(place % 2 && { text: `step ${place} ` }), calls, chunk: 5 }
})

type Wires = Readonly<Record<Api, Awaited<ReturnType<typeof startWire>>>>
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((wire) => wire.close()))
})

async function startAll(): Promise<Wires> {
  const start = async (api: Api) => {
    const wire = await startWire(api, { script: turns, strict: true, id: ids[api] })
    open.push(wire)
    return wire
  }
  return {
    'openai-chat': await start('openai-chat'),
    'openai-responses': await start('openai-responses'),
    anthropic: await start('anthropic'),
    google: await start('google'),
  }
}

async function turn(model: Model, messages: readonly ModelMessage[]) {
  const request = modelRequest({ messages, tools, reasoning: { effort: 'high' } })
  const { parts, error } = await collect(model.stream(request, never))
  expect(error).toBeUndefined()
  return parts
}

/** Plays all turns, each on the provider that `at` names. */
async function play(wires: Wires, at: (place: number) => Api): Promise<readonly ModelMessage[]> {
  let messages: readonly ModelMessage[] = [userMessage('start')]
  for (const place of turns.keys()) {
    const api = at(place)
    const reply = replyOf(await turn(wires[api].model, messages), api, ids[api])
    messages = [...messages, reply, resultsOf(reply, `result ${place}`) ?? userMessage(`and then ${place}?`)]
  }
  return messages
}

describe('a conversation', () => {
  test.each(apis)('stays with %s: every proof comes back', async (api) => {
    const wires = await startAll()
    await play(wires, () => api)
    expect(wires[api].server.requests.map(({ refused }) => refused)).toEqual(turns.map(() => undefined))
  })

  test('goes round all providers, one turn each, inside of tool loops too', async () => {
    await play(await startAll(), (place) => apis[place % apis.length] ?? 'anthropic')
  })

  test('leaves a provider and comes back', async () => {
    await play(await startAll(), (place) => apis[Math.floor(place / 3) % apis.length] ?? 'anthropic')
  })

  test('a foreign thought is never sent: another provider, or another family of the same', async () => {
    const wires = await startAll()
    const thoughts = (api: Api) =>
      JSON.stringify(wires[api].server.requests.at(-1)?.body ?? {}).match(/thought \d/g) ?? []
    const messages = await play(wires, () => 'anthropic')
    const foreign = messages.map((message) =>
      message.role === 'assistant' ? { ...message, model: 'anthropic/gpt-5' } : message,
    )
    await collect(wires['openai-responses'].model.stream(modelRequest({ messages: foreign.slice(0, 8), tools }), never))
    expect(thoughts('openai-responses')).toEqual([])
    await collect(wires.anthropic.model.stream(modelRequest({ messages: foreign.slice(0, 8), tools }), never))
    expect(thoughts('anthropic')).toEqual([])
  })
})

test('strict mocks refuse a proof that was altered', async () => {
  for (const api of apis.filter((name) => name !== 'openai-chat')) {
    const { model, close } = await startWire(api, { script: turns, strict: true, id: ids[api] })
    open.push({ close })
    const reply = replyOf(await turn(model, [userMessage('start')]), api, ids[api])
    const altered = JSON.parse(
      JSON.stringify(reply).replace(/("signature":"|"encrypted":"|"thoughtSignature":")./, '$1!'),
    )
    expect(altered).not.toEqual(reply)
    const messages = [userMessage('start'), altered, resultsOf(altered, 'x') ?? userMessage('x')]
    const { error } = await collect(model.stream(modelRequest({ messages, tools }), never))
    expect(error).toMatchObject({ class: 'signature', status: 400 })
  }
})
