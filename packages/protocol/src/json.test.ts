import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, json } from './json.ts'

const seed = 20_260_728

/** The same value with the keys of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, turned(field)]),
  )
}

test('equal values give equal text, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value))
    }),
    { seed, numRuns: 500 },
  )
})

test('it is JSON: what is read back is the value, and gives the same text again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(text))).toBe(text)
    }),
    { seed, numRuns: 500 },
  )
})

test('different values give different text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const same = JSON.stringify(turned(turned(a))) === JSON.stringify(turned(turned(b)))
      fc.pre(!same)
      const equal = canonicalJson(a) === canonicalJson(b)
      // Only the order of keys, and −0, may differ between values of equal text.
      if (equal) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
    }),
    { seed, numRuns: 500 },
  )
})

test.each([
  [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [[undefined, 1], '[null,1]'],
  [undefined, 'null'],
  ['line\u2028end', JSON.stringify('line\u2028end')],
  [{ 'z"': 1, Z: 2, '': 3 }, '{"":3,"Z":2,"z\\"":1}'],
] as [unknown, string][])('%j becomes %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('the schema takes JSON and nothing else', () => {
  const taken = [null, 1, 'a', [1, { a: null }]].map((value) => json.safeParse(value).success)
  const refused = [undefined, () => 1, Number.NaN, 1n, [undefined]].map((value) => json.safeParse(value).success)
  expect([taken, refused]).toEqual([
    [true, true, true, true],
    [false, false, false, false, false],
  ])
})
