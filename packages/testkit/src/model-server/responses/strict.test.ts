import type { Json, JsonObject } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import type { Known } from '../format.ts'
import { proofOf } from '../wire/proof.ts'
import { responsesRefusal } from './strict.ts'

const user = (text = 'hi'): JsonObject => ({ role: 'user', content: [{ type: 'input_text', text }] })
const said = (text: string): JsonObject => ({ role: 'assistant', content: [{ type: 'output_text', text }] })
const call = (id: string, args: Json = '{}', fields: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id: id,
  name: 'Read',
  arguments: args,
  ...fields,
})
const output = (id: string, text: Json = 'ok'): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})
const thought = (text: string, encrypted: Json = proofOf('openai-responses', text)): JsonObject => ({
  type: 'reasoning',
  id: 'rs_1',
  encrypted_content: encrypted,
  summary: [{ type: 'summary_text', text }],
})

const fresh: Known = { window: undefined, served: () => undefined }
const refuse = (input: readonly JsonObject[], fields: JsonObject = {}, known: Known = fresh) =>
  responsesRefusal({ model: 'm', store: false, input, ...fields }, known)

describe('a strict OpenAI of responses', () => {
  test('takes a history with reasoning, parallel calls and their outputs', () => {
    const system = { role: 'developer', content: 'be good' }
    expect(
      refuse([
        system,
        user(),
        thought('hm'),
        said('x'),
        call('a'),
        call('b'),
        output('a'),
        output('b'),
        said('done'),
        user(),
      ]),
    ).toBeUndefined()
  })

  test.each<[string, readonly JsonObject[], JsonObject, RegExp]>([
    ['an unknown field', [user()], { foo: 1 }, /Unknown parameter: 'foo'/],
    ['an unknown field of an item', [{ ...user(), cache_control: {} }], {}, /cache_control/],
    ['no input', [], {}, /input/],
    ['a reply first', [said('a'), user()], {}, /first message/],
    ['a reply last', [user(), said('a')], {}, /last item/],
    ['an id of another kind', [user(), call('a', '{}', { id: 'call_1' }), output('a')], {}, /begins with 'fc'/],
    ['arguments that are no object', [user(), call('a', '{"'), output('a')], {}, /JSON text/],
    ['a call without output', [user(), call('a'), call('b'), output('a'), user()], {}, /b/],
    ['an output without call', [user(), output('a')], {}, /unexpected/],
    ['outputs out of order', [user(), call('a'), call('b'), output('b'), output('a')], {}, /due is a/],
    ['an id twice', [user(), call('a'), output('a'), call('a'), output('a')], {}, /unique/],
    ['empty output', [user(), call('a'), output('a', '')], {}, /empty/],
    [
      'reasoning that was altered',
      [user(), thought('hm!', proofOf('openai-responses', 'hm')), said('x'), user()],
      {},
      /could not be verified/,
    ],
    ['reasoning without its content', [user(), thought('hm', null), said('x'), user()], {}, /not persisted/],
    ['reasoning alone', [user(), thought('hm'), user()], {}, /required following item/],
    ['a tool without object schema', [user()], { tools: [{ type: 'function', name: 'a', parameters: {} }] }, /schema/],
    ['a lone surrogate', [user('\ud800')], {}, /surrogate/],
  ])('refuses %s', (_, input, fields, why) => {
    expect(refuse(input, fields)).toMatchObject({ status: 400, message: expect.stringMatching(why) })
  })

  test('what it served has to come back, and what is too long does not fit', () => {
    const known: Known = { ...fresh, served: () => ({ reasoning: 'hm' }) }
    expect(refuse([user(), thought('hm'), said('x'), user()], {}, known)).toBeUndefined()
    expect(refuse([user(), said('x'), user()], {}, known)?.message).toContain('missing or altered')
    expect(refuse([user('x'.repeat(1000))], {}, { ...fresh, window: 100 })).toMatchObject({
      code: 'context_length_exceeded',
    })
  })
})
