import { createRandom, logGroup } from '@tenon/testkit'
import { test } from 'vitest'
import { killOwners } from './testing/kills.ts'

// Logs of 25 owners each: one log of 300 would be mostly the reading of what earlier owners left.
test.each(Array.from({ length: 12 }, (_, round) => round))(
  '25 owners killed with kill -9 at random instants, log %i of 12: nothing acknowledged is lost or doubled',
  async (round) => {
    await killOwners({ times: 25, random: createRandom(70_000 + round), group: logGroup })
  },
  120_000,
)
