import { expect, test } from 'vitest'
import { toPlainSchema } from './plain-schema.ts'

test('references are put in place, rarer words go, a constant is a choice of one', () => {
  expect(
    toPlainSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        at: { $ref: '#/$defs/place', description: 'where' },
        kind: { const: 'a' },
        size: { type: ['integer', 'null'], exclusiveMinimum: 0, minimum: 1 },
        list: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
      },
      required: ['at'],
      $defs: { place: { type: 'string', pattern: '^/' } },
    }),
  ).toEqual({
    type: 'object',
    properties: {
      at: { type: 'string', pattern: '^/', description: 'where' },
      kind: { enum: ['a'] },
      size: { type: 'integer', nullable: true, minimum: 1 },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    },
    required: ['at'],
  })
})

test('a union at the top is one object: all fields, required what every branch requires', () => {
  const branch = (name: string) => ({
    type: 'object',
    properties: { a: { type: 'string' }, [name]: { type: 'number' } },
    required: ['a', name],
  })
  expect(toPlainSchema({ oneOf: [branch('b'), branch('c')] })).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'number' } },
    required: ['a'],
  })
})

test('a circle ends, and what is no schema is any object', () => {
  const circle = { type: 'object', properties: { next: { $ref: '#' } } }
  expect(JSON.stringify(toPlainSchema(circle)).length).toBeLessThan(2000)
  expect(toPlainSchema({})).toEqual({ type: 'object' })
  expect(toPlainSchema(true)).toEqual({ type: 'object' })
})
