// P17 and acceptance 23: what is no image, cut, too large, lost or unseen becomes a note; the rest goes out as it is.
import type { ModelMessage } from '@tenon/core'
import type { Part } from '@tenon/protocol'
import {
  assistantMessage,
  callPart,
  collect,
  modelRequest,
  modelTool,
  startModelServer,
  userMessage,
} from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { type Api, apis } from '../providers/entry.ts'
import { wireOver } from '../testing/wire.ts'
import { maxImageBytes } from './images.ts'

const startWire = wireOver(startModelServer)

const never = new AbortController().signal
const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const blobs: Readonly<Record<string, Uint8Array>> = {
  png,
  html: new TextEncoder().encode('<!doctype html><html>not found</html>'),
  cut: png.subarray(0, png.length - 20),
  large: new Uint8Array([...png.subarray(0, 8), ...new Uint8Array(maxImageBytes), ...png.subarray(-12)]),
  jpeg: new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]),
}
const image = (name: string): Extract<Part, { type: 'image' }> => ({
  type: 'image',
  mime: 'image/png',
  blob: { sha256: name.padEnd(64, '0'), bytes: 1, mime: 'image/png' },
})
const load = async (sha256: string): Promise<Uint8Array> => {
  const bytes = blobs[sha256.replace(/0+$/, '')]
  if (!bytes) throw new Error('blob_missing')
  return bytes
}

async function sent(api: Api, messages: readonly ModelMessage[], vision = true) {
  const script = Array.from({ length: 3 }, () => ({ text: 'ok' }))
  const { model, server, close } = await startWire(api, { script, strict: true, model: { vision } })
  const { error } = await collect(model.stream(modelRequest({ messages, tools: [modelTool('Read')], load }), never))
  await close()
  expect(error).toBeUndefined()
  return JSON.stringify(server.requests[0]?.body)
}

const base64 = Buffer.from(png).toString('base64')

describe.each(apis)('images over %s', (api) => {
  test('a real one is sent with its true type', async () => {
    const text = await sent(api, [
      { role: 'user', parts: [image('png'), image('jpeg'), { type: 'text', text: 'see' }] },
    ])
    expect(text).toContain(base64)
    expect(text).toContain('image/jpeg')
  })

  test.each([
    ['html', 'not an image that models take'],
    ['cut', 'cut off'],
    ['large', 'MB, too large'],
    ['lost', 'its bytes are not here'],
  ])('%s becomes a note', async (name, why) => {
    const text = await sent(api, [{ role: 'user', parts: [image(name)] }])
    expect(text).toContain('[image image/png, not shown: ')
    expect(text).toContain(why)
  })

  test('a model that sees nothing is told so', async () => {
    expect(await sent(api, [{ role: 'user', parts: [image('png')] }], false)).toContain('this model sees no images')
  })

  test('one in a tool’s result reaches the model, before what the person says next', async () => {
    const result = {
      call: 'call_1',
      name: 'Read',
      status: 'ok' as const,
      content: [{ type: 'text' as const, text: 'a.png' }, image('png')],
    }
    const messages: readonly ModelMessage[] = [
      userMessage('look'),
      assistantMessage([callPart('call_1', 'Read', {})]),
      { role: 'tool', results: [result] },
    ]
    expect(await sent(api, messages)).toContain(base64)
    expect(await sent(api, [...messages, userMessage('well?')])).toMatch(
      new RegExp(`${base64.slice(0, 40).replace(/\+/g, '\\+')}.*well\\?`),
    )
  })
})
