import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIdGenerator, fresh, place, placeOf } from './id.ts'

const seed = 20_260_728
const shape = /^[0-9a-hjkmnp-tv-z]{26}$/

test('ids are 26 characters of an alphabet without i, l, o and u, and begin with their time', () => {
  const next = createIdGenerator(
    () => 1_753_700_000_000,
    () => 0,
  )
  const [first, second] = [next(), next()]
  expect(first).toBe('01k18amr800000000000000000')
  expect(second).toBe('01k18amr800000000000000001')
})

test('ids strictly ascend, whatever the clock does: stand still, jump, go back', () => {
  const clocks = fc.array(fc.oneof(fc.nat(5), fc.nat(2 ** 48 - 1)), { minLength: 2, maxLength: 60 })
  const dice = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  fc.assert(
    fc.property(clocks, dice, (times, random) => {
      let i = 0
      const next = createIdGenerator(
        () => times[i++] ?? 0,
        () => random.next().value,
      )
      const ids = times.map(() => next())
      expect(ids.every((id) => shape.test(id))).toBe(true)
      expect([...ids].sort()).toEqual(ids)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { seed, numRuns: 300 },
  )
})

test('a clock that goes back keeps the time of the last id', () => {
  const times = [1000, 10, 1000, 1001]
  const next = createIdGenerator(
    () => times.shift() ?? 0,
    () => 0.5,
  )
  const prefixes = Array.from({ length: 4 }, () => next().slice(0, 10))
  expect(prefixes).toEqual(['00000000z8', '00000000z8', '00000000z8', '00000000z9'])
})

test('counting up carries', () => {
  const dice = [0, ...Array.from({ length: 15 }, () => 0.999)]
  const next = createIdGenerator(
    () => 1,
    () => dice.shift() ?? 0,
  )
  const tails = Array.from({ length: 2 }, () => next().slice(10))
  expect(tails).toEqual(['0zzzzzzzzzzzzzzz', '1000000000000000'])
})

test('a place names a draft of its group; real and reserved ids do not', () => {
  expect([placeOf(place(0)), placeOf(place(12)), placeOf(fresh), placeOf('ev_01k18'), placeOf('ev_@1x')]).toEqual([
    0,
    12,
    undefined,
    undefined,
    undefined,
  ])
})
