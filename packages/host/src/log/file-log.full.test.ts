import { logContract } from '@tenon/testkit'
import { describe, test } from 'vitest'
import { createRandomWorld } from './testing/file-world.ts'

logContract('the file log, for long', createRandomWorld, { describe, test, rounds: 4000, seed: 1_000_000 })
