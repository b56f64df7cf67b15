import type { Json, JsonObject } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import type { Known } from '../format.ts'
import { proofOf } from '../wire/proof.ts'
import { anthropicRefusal } from './strict.ts'

const user = (...content: readonly Json[]): JsonObject => ({ role: 'user', content: content.length ? content : 'hi' })
const reply = (...content: readonly Json[]): JsonObject => ({ role: 'assistant', content })
const text = (words: string, fields: JsonObject = {}): JsonObject => ({ type: 'text', text: words, ...fields })
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string, content: Json = 'ok'): JsonObject => ({ type: 'tool_result', tool_use_id: id, content })
const thought = (thinking: string, signature = proofOf('anthropic', thinking)): JsonObject => ({
  type: 'thinking',
  thinking,
  signature,
})
const mark = { cache_control: { type: 'ephemeral' } }
const image = (data: string): JsonObject => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
})

const fresh: Known = { window: undefined, served: () => undefined }
const refuse = (messages: readonly JsonObject[], fields: JsonObject = {}, known: Known = fresh) =>
  anthropicRefusal({ model: 'm', max_tokens: 100, messages, ...fields }, known)

describe('a strict Anthropic', () => {
  test.each<[string, readonly JsonObject[], JsonObject]>([
    ['one message', [user()], {}],
    [
      'thoughts, calls, results and text after them',
      [user(), reply(thought('hm'), text('x'), use('a'), use('b')), user(result('a'), result('b'), text('go'))],
      {},
    ],
    [
      'four marks',
      [user(text('a', mark)), reply(text('b')), user(text('c', mark))],
      { system: [text('s', mark), text('v', mark)] },
    ],
    ['a picture', [user(image('iVBORw0KGgoAAAANSUhEUg'))], {}],
    [
      'thinking with its thoughts',
      [user(), reply(thought('hm'), use('a')), user(result('a'))],
      { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 },
    ],
  ])('takes %s', (_, messages, fields) => {
    expect(refuse(messages, fields)).toBeUndefined()
  })

  test.each<[string, readonly JsonObject[], JsonObject, RegExp]>([
    ['an unknown field', [user()], { foo: 1 }, /foo: Extra inputs/],
    ['no cap', [user()], { max_tokens: 0 }, /max_tokens/],
    ['a reply first', [reply(text('a')), user()], {}, /first message/],
    ['a reply last', [user(), reply(text('a'))], {}, /last message/],
    ['two users in a row', [user(), user()], {}, /alternate/],
    ['nothing in a message', [{ role: 'user', content: [] }], {}, /non-empty/],
    ['blank text', [user(text(' '))], {}, /non-whitespace/],
    ['an unknown field in a block', [user(text('a', { name: 'x' }))], {}, /Extra inputs/],
    ['a call without result', [user(), reply(use('a'), use('b')), user(result('a'))], {}, /b/],
    ['results out of order', [user(), reply(use('a'), use('b')), user(result('b'), result('a'))], {}, /due is a/],
    ['a result behind text', [user(), reply(use('a')), user(text('x'), result('a'))], {}, /come first/],
    [
      'an id used twice',
      [user(), reply(use('a')), user(result('a')), reply(use('a')), user(result('a'))],
      {},
      /unique/,
    ],
    ['input that is no object', [user(), reply({ ...use('a'), input: 'x' }), user(result('a'))], {}, /dictionary/],
    [
      'a fifth mark',
      [user(text('a', mark), text('b', mark), text('c', mark))],
      { system: [text('s', mark), text('v', mark)] },
      /maximum of 4 .* Found 5/,
    ],
    ['a mark on a thought', [user(), reply({ ...thought('hm'), ...mark }, text('x')), user()], {}, /Extra inputs/],
    [
      'an altered thought',
      [user(), reply(thought('hm!', proofOf('anthropic', 'hm')), text('x')), user()],
      {},
      /Invalid `signature`/,
    ],
    [
      'thinking without its thoughts',
      [user(), reply(use('a')), user(result('a'))],
      { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 },
      /must start with a thinking block/,
    ],
    ['a budget above the cap', [user()], { thinking: { type: 'enabled', budget_tokens: 1024 } }, /must be greater/],
    ['a temperature while thinking', [user()], { thinking: { type: 'adaptive' }, temperature: 0 }, /temperature/],
    ['a page as a picture', [user(image(Buffer.from('<html>').toString('base64')))], {}, /does not match/],
    [
      'a union at the top of a schema',
      [user()],
      { tools: [{ name: 'a', input_schema: { type: 'object', anyOf: [] } }] },
      /top level/,
    ],
    [
      'a tool twice',
      [user()],
      { tools: [1, 2].map(() => ({ name: 'a', input_schema: { type: 'object' } })) },
      /unique/,
    ],
    ['a lone surrogate', [user(text('\ud800'))], {}, /surrogate/],
  ])('refuses %s', (_, messages, fields, why) => {
    expect(refuse(messages, fields)).toMatchObject({ status: 400, message: expect.stringMatching(why) })
  })

  test('what it served has to come back, redacted or not', () => {
    const served = (turn: { reasoning: string; redacted?: boolean }): Known => ({
      ...fresh,
      served: (place) => (place === 0 ? turn : undefined),
    })
    const messages = (...first: readonly JsonObject[]) => [user(), reply(...first, text('x')), user()]
    expect(refuse(messages(thought('hm')), {}, served({ reasoning: 'hm' }))).toBeUndefined()
    expect(refuse(messages(), {}, served({ reasoning: 'hm' }))).toMatchObject({
      message: expect.stringContaining('missing or altered'),
    })
    const redacted = { type: 'redacted_thinking', data: proofOf('anthropic', 'hm') }
    expect(refuse(messages(redacted), {}, served({ reasoning: 'hm', redacted: true }))).toBeUndefined()
    expect(refuse(messages({ ...redacted, data: 'x' }), {}, served({ reasoning: 'hm', redacted: true }))).toBeDefined()
  })

  test('a prompt that is too long, alone or with its cap', () => {
    const known = { ...fresh, window: 200 }
    expect(refuse([user(text('x'.repeat(1000)))], {}, known)?.message).toMatch(
      /prompt is too long: \d+ tokens > 200 maximum/,
    )
    expect(refuse([user(text('x'.repeat(500)))], {}, known)?.message).toMatch(/exceed context limit/)
  })
})
