// Random lives: a few hundred with every change, thousands in the full run.
import { expect, test } from 'vitest'
import { live } from './life.ts'

const lives = Number(process.env.TENON_LIVES ?? 400)
const first = Number(process.env.TENON_SEED ?? 1)

test(`${lives} random lives keep the laws and come to rest`, { timeout: 600_000 }, async () => {
  const failed: string[] = []
  for (let seed = first; seed < first + lives && failed.length < 5; seed++) {
    const life = await live(seed, seed % 2 === 0)
    if (life.problems.length > 0) failed.push(`seed ${seed}: ${life.problems.slice(0, 4).join(' | ')}`)
  }
  expect(failed).toEqual([])
})
