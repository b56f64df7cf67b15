// 8,000 random lives, half of them with crashes; another first seed than the everyday run, so that they add to it.
import { expect, test } from 'vitest'
import { live } from './life.ts'

const lives = Number(process.env.TENON_LIVES ?? 8_000)
const first = Number(process.env.TENON_SEED ?? 100_000)

test(`${lives} random lives keep the laws and come to rest`, async () => {
  const failed: string[] = []
  let crashes = 0
  let requests = 0
  for (let seed = first; seed < first + lives && failed.length < 5; seed++) {
    const life = await live(seed, seed % 2 === 0)
    if (life.problems.length > 0) failed.push(`seed ${seed}: ${life.problems.slice(0, 4).join(' | ')}`)
    crashes += life.crashes
    requests += life.requests
  }
  expect(failed).toEqual([])
  // A simulator that does nothing finds nothing.
  expect(crashes).toBeGreaterThan(lives / 4)
  expect(requests).toBeGreaterThan(lives * 2)
})
