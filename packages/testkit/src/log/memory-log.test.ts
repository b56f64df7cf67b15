import { describe, test } from 'vitest'
import { logContract } from './contract.ts'
import { createMemoryLog } from './memory-log.ts'

logContract(
  'the memory log',
  async () => {
    const log = createMemoryLog()
    return { open: (process) => log.attach(process), dispose: async () => undefined }
  },
  { describe, test, rounds: 300 },
)
