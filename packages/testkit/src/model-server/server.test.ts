import type { JsonObject } from '@tenon/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import type { ModelServerOptions } from './options.ts'
import { type ModelServer, startModelServer } from './server.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())

const hello = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }

async function post(options: ModelServerOptions, body: JsonObject = hello, headers: Record<string, string> = {}) {
  server ??= await startModelServer(options)
  return fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), headers })
}
afterEach(() => {
  server = undefined
})

describe('model server', () => {
  test('answers whole or streamed, with usage where it is asked for', async () => {
    const script = [
      { text: 'hi there', calls: [{ name: 'Read', input: { a: 1 } }], usage: { input: 5, cacheRead: 3, output: 2 } },
    ]
    expect(await (await post({ script })).json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ finish_reason: 'tool_calls', message: { content: 'hi there', tool_calls: [{ id: 'call_1_1' }] } }],
      usage: { prompt_tokens: 8, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
    })
    const streamed = await (
      await post({ script }, { ...hello, stream: true, stream_options: { include_usage: true } })
    ).text()
    const frames = streamed.split('\n\n').filter(Boolean)
    expect(frames.at(-1)).toBe('data: [DONE]')
    expect(frames.every((frame) => frame.startsWith('data: '))).toBe(true)
    expect(streamed).toContain('"prompt_tokens":8')
    expect(await (await post({ script }, { ...hello, stream: true })).text()).not.toContain('prompt_tokens')
  })

  test('records requests, and why one was refused', async () => {
    const options = { script: [{ text: 'a' }], strict: true, apiKey: 'k' }
    expect((await post(options)).status).toBe(401)
    const headers = { authorization: 'Bearer k' }
    expect((await post(options, hello, headers)).status).toBe(200)
    expect((await post(options, { ...hello, messages: [] }, headers)).status).toBe(400)
    const next = {
      ...hello,
      messages: [...hello.messages, { role: 'assistant', content: 'a' }, { role: 'user', content: 'b' }],
    }
    expect(await (await post(options, next, headers)).json()).toMatchObject({
      error: { message: 'script, turn 2: the script has only 1 turns.' },
    })
    expect(server?.requests.map(({ place, refused }) => [place, refused?.slice(0, 9)])).toEqual([
      [0, 'Incorrect'],
      [0, undefined],
      [0, '[] is too'],
      [1, 'script, t'],
    ])
  })

  test('lists a model, knows no other route, and refuses what is no JSON', async () => {
    server = await startModelServer({ script: [] })
    expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: 'script' }] })
    const anthropic = await fetch(`${server.url}/models`, { headers: { 'anthropic-version': '2023-06-01' } })
    expect(await anthropic.json()).toMatchObject({ data: [{ type: 'model', id: 'script' }], has_more: false })
    const google = await fetch(`${server.origin}/v1beta/models`)
    expect(await google.json()).toMatchObject({ models: [{ name: 'models/script' }] })
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404)
    expect((await fetch(`${server.url}/chat/completions`, { method: 'POST', body: '{' })).status).toBe(400)
  })

  test('closes although a stream is open, and says that a port is taken', async () => {
    const script = [{ text: 'abc', fault: { type: 'stall' as const } }]
    const response = await post({ script }, { ...hello, stream: true })
    const port = Number(new URL(server?.url ?? '').port)
    await expect(startModelServer({ script, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await server?.close()
    await expect(response.text()).rejects.toThrow()
  })
})
