import { createRandom, logGroup } from '@tenon/testkit'
import { test } from 'vitest'
import { killOwners } from './testing/kills.ts'

test('300 owners killed with kill -9 at random instants: nothing acknowledged is lost or doubled', async () => {
  await killOwners({ times: 300, random: createRandom(70000), group: logGroup })
}, 600_000)
