// kill -9 at random instants of real runs: the session goes on, its log is sound, the provider never sees a broken history.
import { createRandom } from '@tenon/testkit'
import { expect, test } from 'vitest'
import { crashRuns } from '../testing/crash.ts'

test('20 kills', { timeout: 240_000 }, async () => {
  const { killed, cut, problems } = await crashRuns(20, createRandom(1))
  expect(problems).toEqual([])
  expect(cut).toBeGreaterThan(5)
  expect(killed).toBeGreaterThanOrEqual(cut)
})
