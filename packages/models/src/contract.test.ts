// All kinds of model obey the same port: one that plays a script itself, and each wire format over real HTTP.
import { modelContract, startModelServer } from '@tenon/testkit'
import { describe, test } from 'vitest'
import { apis } from './providers/entry.ts'
import { createScriptModel } from './script/model.ts'
import type { ScriptTurnInput } from './script/schema.ts'
import { wireOver } from './testing/wire.ts'

const startWire = wireOver(startModelServer)

const makeScript = async (turns: readonly object[]) => ({
  // The two shapes of a turn differ only in how optional fields are written.
  model: createScriptModel(turns as readonly ScriptTurnInput[]),
  close: async () => undefined,
})

modelContract('script model', makeScript, { describe, test })

for (const api of apis)
  modelContract(api, (script) => startWire(api, { script, strict: true }), {
    describe,
    test,
    objectArguments: api === 'google',
  })
