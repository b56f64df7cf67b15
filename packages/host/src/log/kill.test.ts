import { createRandom, logGroup } from '@tenon/testkit'
import { test } from 'vitest'
import { killOwners } from './testing/kills.ts'

test('20 owners killed with kill -9 at random instants: nothing acknowledged is lost or doubled', async () => {
  await killOwners({ times: 20, random: createRandom(7), group: logGroup })
}, 60_000)
