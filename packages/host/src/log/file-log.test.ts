import { logContract } from '@tenon/testkit'
import { describe, test } from 'vitest'
import { createMemoryDisk } from './disk/memory-disk.ts'
import { createFileLog } from './file-log.ts'
import { createRandomWorld } from './testing/file-world.ts'

logContract('the file log', createRandomWorld, { describe, test, rounds: 300 })

logContract(
  'the file log in memory',
  async () => {
    const disk = createMemoryDisk()
    return { open: () => createFileLog({ session: 'ses_test', dir: '/s', disk }), dispose: async () => undefined }
  },
  { describe, test, rounds: 0 },
)
