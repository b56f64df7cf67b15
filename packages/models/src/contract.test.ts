// Both kinds of model obey the same port: one that plays a script itself, one that reads it off a real HTTP stream.
import { modelContract, startModelServer } from '@tenon/testkit'
import { describe, test } from 'vitest'
import { createCompatibleModel } from './compatible/model.ts'
import { createScriptModel } from './script/model.ts'
import type { ScriptTurnInput } from './script/schema.ts'

const makeScript = async (turns: readonly object[]) => ({
  // The two shapes of a turn differ only in how optional fields are written.
  model: createScriptModel(turns as readonly ScriptTurnInput[]),
  close: async () => undefined,
})

modelContract('script model', makeScript, { describe, test })

modelContract(
  'compatible model',
  async (script) => {
    const server = await startModelServer({ script, strict: true })
    return { model: createCompatibleModel({ provider: 'local', baseUrl: server.url, model: 'm' }), close: server.close }
  },
  { describe, test },
)
