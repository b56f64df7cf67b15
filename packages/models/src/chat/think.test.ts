import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createThinkSplitter } from './think.ts'

const split = (pieces: readonly string[]) => {
  const splitter = createThinkSplitter()
  const out = [...pieces.flatMap((piece) => splitter.take(piece)), ...splitter.end()]
  const join = (type: string) => out.map((piece) => (piece.type === type && 'text' in piece ? piece.text : '')).join('')
  return { reasoning: join('reasoning'), text: join('text') }
}

test.each([
  ['<think>hm</think>\n\nhello', 'hm', 'hello'],
  ['\n <think>\nhm\n</think>hello', '\nhm\n', 'hello'],
  ['hello <think>no</think>', '', 'hello <think>no</think>'],
  ['<think>never closed', 'never closed', ''],
  ['<thin air', '', '<thin air'],
  ['<think>a < b </thin </think> c <think>d</think>', 'a < b </thin ', 'c <think>d</think>'],
  ['', '', ''],
])('%j', (whole, reasoning, text) => {
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      const pieces = places.slice(1).map((to, place) => whole.slice(places[place], to))
      expect(split(pieces)).toEqual({ reasoning, text })
    }),
  )
})
