import type { Json, JsonObject } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import { chatRefusal } from './strict.ts'

const user = (content: Json = 'hi'): JsonObject => ({ role: 'user', content })
const call = (id: string, args: Json = '{}', name = 'Read'): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const asks = (...calls: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content: null, tool_calls: calls })
const result = (id: string, content: Json = 'ok'): JsonObject => ({ role: 'tool', tool_call_id: id, content })
const system = (content = 'be good'): JsonObject => ({ role: 'system', content })
const reply = (content: Json): JsonObject => ({ role: 'assistant', content })

const refuse = (messages: readonly JsonObject[], fields: JsonObject = {}, window?: number) =>
  chatRefusal({ model: 'm', messages, ...fields }, window)

describe('a strict provider of openai-chat', () => {
  test.each<[string, readonly JsonObject[]]>([
    ['one message', [user()]],
    [
      'system, text parts, an image',
      [
        system(),
        user([
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ]),
      ],
    ],
    [
      'calls and their results in order, twice',
      [
        user(),
        asks(call('a'), call('b')),
        result('a'),
        result('b'),
        asks(call('c')),
        result('c'),
        reply('done'),
        user(),
      ],
    ],
    ['reasoning beside the text', [user(), { ...reply('a'), reasoning_content: 'hm' }, user()]],
  ])('takes %s', (_, messages) => {
    expect(refuse(messages)).toBeUndefined()
  })

  test.each<[string, readonly JsonObject[], RegExp]>([
    ['no message', [], /too short/],
    ['no user first', [system(), reply('a'), user()], /first message/],
    ['only system', [system()], /first message/],
    ['system in the middle', [user(), system(), user()], /beginning/],
    ['an unknown role', [user(), { role: 'agent', content: 'a' }], /invalid role/],
    ['empty content', [user('')], /empty/],
    ['blank content', [user(' \n')], /empty/],
    ['an empty list of parts', [user([])], /empty/],
    ['an empty text part', [user([{ type: 'text', text: '' }])], /non-empty/],
    ['an unknown part', [user([{ type: 'file', file: {} }])], /content type/],
    [
      'an image that is none',
      [user([{ type: 'image_url', image_url: { url: 'data:text/html;base64,AA' } }])],
      /image_url/,
    ],
    ['an empty reply', [user(), reply(null), user()], /content/],
    ['an empty result', [user(), asks(call('a')), result('a', '')], /empty/],
    ['two user messages in a row', [user(), user()], /alternate/],
    ['two replies in a row', [user(), reply('a'), reply('b'), user()], /alternate/],
    ['a reply at the end', [user(), reply('a')], /last message/],
    [
      'a call without result',
      [user(), asks(call('a'), call('b')), result('a'), user()],
      /did not have response messages: b/,
    ],
    ['a call without result at the end', [user(), asks(call('a'))], /last message|did not have/],
    ['a result without call', [user(), result('a')], /no call a/],
    ['a result of another call', [user(), asks(call('a')), result('z')], /no call z/],
    ['a result twice', [user(), asks(call('a')), result('a'), result('a')], /answered already/],
    ['results out of order', [user(), asks(call('a'), call('b')), result('b'), result('a')], /a is due, not b/],
    ['a result later than directly after', [user(), asks(call('a')), user(), result('a')], /did not have/],
    ['one id twice in a message', [user(), asks(call('a'), call('a')), result('a'), result('a')], /used twice/],
    ['one id in two messages', [user(), asks(call('a')), result('a'), asks(call('a')), result('a')], /used twice/],
    ['an empty id', [user(), asks(call('')), result('')], /invalid id/],
    ['an empty list of calls', [user(), { ...reply('a'), tool_calls: [] }, user()], /too short/],
    ['arguments that are not JSON', [user(), asks(call('a', '{"a"')), result('a')], /JSON text of an object/],
    ['arguments that are no object', [user(), asks(call('a', '[]')), result('a')], /JSON text of an object/],
    ['a name that does not fit', [user(), asks(call('a', '{}', 'a b')), result('a')], /invalid name/],
    ['a lone surrogate', [user('\ud800')], /surrogate/],
    ['an unknown field in a message', [{ ...user(), cache_control: {} }], /unknown field/],
  ])('refuses %s', (_, messages, why) => {
    expect(refuse(messages)).toMatchObject({ status: 400, message: expect.stringMatching(why) })
  })

  test.each<[string, JsonObject, RegExp]>([
    ['an unknown field', { foo: 1 }, /foo/],
    ['no model', { model: '' }, /model/],
    ['an output cap of nothing', { max_tokens: 0 }, /max_tokens/],
    ['an empty list of tools', { tools: [] }, /too short/],
    ['a choice without tools', { tool_choice: 'auto' }, /tool_choice/],
    [
      'a tool without object schema',
      { tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] },
      /schema/,
    ],
    [
      'a tool twice',
      { tools: ['a', 'a'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })) },
      /unique/,
    ],
  ])('refuses %s', (_, fields, why) => {
    expect(refuse([user()], fields)).toMatchObject({ status: 400, message: expect.stringMatching(why) })
  })

  test('refuses what does not fit its window, the reply included', () => {
    expect(refuse([user('x'.repeat(400))], {}, 200)).toBeUndefined()
    const refused = {
      code: 'context_length_exceeded',
      message: expect.stringContaining('maximum context length is 200 tokens'),
    }
    expect(refuse([user('x'.repeat(1000))], {}, 200)).toMatchObject(refused)
    expect(refuse([user('x'.repeat(400))], { max_tokens: 190 }, 200)).toMatchObject(refused)
  })
})
