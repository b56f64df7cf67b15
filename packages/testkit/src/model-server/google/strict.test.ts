import type { JsonObject } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import type { Known } from '../format.ts'
import { signatureOf } from './frames.ts'
import { googleRefusal } from './strict.ts'

const user = (...parts: readonly JsonObject[]): JsonObject => ({
  role: 'user',
  parts: parts.length ? parts : [{ text: 'hi' }],
})
const model = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'model', parts })
const call = (name: string, fields: JsonObject = {}): JsonObject => ({
  functionCall: { name, args: { a: 1 } },
  ...fields,
})
const answer = (name: string): JsonObject => ({ functionResponse: { name, response: { content: 'ok' } } })
const signed = (part: JsonObject): JsonObject => ({ ...part, thoughtSignature: signatureOf(part) })

const fresh: Known = { window: undefined, served: () => undefined }
const refuse = (contents: readonly JsonObject[], fields: JsonObject = {}, known: Known = fresh) =>
  googleRefusal({ contents, ...fields }, known)

describe('a strict Gemini', () => {
  test.each<[string, readonly JsonObject[]]>([
    ['one message', [user()]],
    [
      'signed calls and their responses by name',
      [user(), model(signed(call('A')), call('B')), user(answer('A'), answer('B')), model({ text: 'x' }), user()],
    ],
    [
      'a picture after the responses',
      [user(), model(call('A')), user(answer('A')), user({ inlineData: { mimeType: 'image/png', data: 'AA' } })],
    ],
    [
      'the stand-in on a call of others',
      [user(), model(call('A', { thoughtSignature: 'skip_thought_signature_validator' })), user(answer('A'))],
    ],
    ['a signed text', [user(), model(signed({ text: 'x' })), user()]],
  ])('takes %s', (_, contents) => {
    expect(refuse(contents)).toBeUndefined()
  })

  test.each<[string, readonly JsonObject[], JsonObject, RegExp]>([
    ['an unknown field', [user()], { foo: 1 }, /Unknown name "foo"/],
    ['an unknown field of a part', [user({ text: 'a', id: 'x' })], {}, /Unknown name "id"/],
    ['no contents', [], {}, /not specified/],
    ['a reply first', [model({ text: 'a' }), user()], {}, /first message/],
    ['a reply last', [user(), model({ text: 'a' })], {}, /last message/],
    ['two of the model in a row', [user(), model({ text: 'a' }), model({ text: 'b' }), user()], {}, /alternate/],
    ['empty text', [user({ text: '' })], {}, /empty/],
    ['a role of others', [{ role: 'assistant', parts: [{ text: 'a' }] }], {}, /valid role/],
    [
      'fewer responses than calls',
      [user(), model(call('A'), call('B')), user(answer('A'))],
      {},
      /number of function response/,
    ],
    [
      'responses by another name',
      [user(), model(call('A'), call('B')), user(answer('B'), answer('A'))],
      {},
      /does not match/,
    ],
    ['a response without call', [user(), model({ text: 'x' }), user(answer('A'))], {}, /immediately after/],
    [
      'an altered signature',
      [user(), model({ ...call('A'), thoughtSignature: signatureOf(call('B')) }), user(answer('A'))],
      {},
      /signature is not valid/,
    ],
    [
      'the stand-in on text',
      [user(), model({ text: 'x', thoughtSignature: 'skip_thought_signature_validator' }), user()],
      {},
      /signature is not valid/,
    ],
    [
      'a reference in a schema',
      [user()],
      {
        tools: [
          {
            functionDeclarations: [
              { name: 'a', parametersJsonSchema: { type: 'object', properties: { x: { $ref: '#' } } } },
            ],
          },
        ],
      },
      /\$ref/,
    ],
    ['a lone surrogate', [user({ text: '\ud800' })], {}, /surrogate/],
  ])('refuses %s', (_, contents, fields, why) => {
    expect(refuse(contents, fields)).toMatchObject({ status: 400, message: expect.stringMatching(why) })
  })

  test('what it served has to come back, and what is too long does not fit', () => {
    const known: Known = { ...fresh, served: () => ({ reasoning: 'hm', calls: [{ name: 'A' }] }) }
    expect(refuse([user(), model(signed(call('A'))), user(answer('A'))], {}, known)).toBeUndefined()
    expect(refuse([user(), model(call('A')), user(answer('A'))], {}, known)?.message).toContain('thought_signature')
    expect(refuse([user({ text: 'x'.repeat(1000) })], {}, { ...fresh, window: 100 })?.message).toMatch(
      /exceeds the maximum number of tokens allowed \(100\)/,
    )
  })
})
