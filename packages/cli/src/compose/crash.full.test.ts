// The long campaign of crash.test.ts.
import { createRandom } from '@tenon/testkit'
import { expect, test } from 'vitest'
import { crashRuns } from '../testing/crash.ts'

test.each([1, 2, 3])('100 kills, seed %i', { timeout: 900_000 }, async (seed) => {
  const { killed, cut, problems } = await crashRuns(100, createRandom(seed))
  expect(problems).toEqual([])
  expect(cut).toBeGreaterThan(30)
  expect(killed).toBeGreaterThanOrEqual(cut)
})
