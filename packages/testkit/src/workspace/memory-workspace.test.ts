import { describe, expect, test } from 'vitest'
import { contractCommands, workspaceContract } from './contract.ts'
import { createMemoryWorkspace } from './memory-workspace.ts'

workspaceContract(
  'the memory workspace',
  async () => ({ workspace: createMemoryWorkspace({ commands: contractCommands }), dispose: async () => undefined }),
  { describe, test },
)

test('a scripted command changes files before it prints', async () => {
  const workspace = createMemoryWorkspace({
    files: { 'a.txt': 'old' },
    commands: [{ command: /^make/, effect: (files) => files.put('a.txt', 'new'), out: 'built\n', leaves: [7] }],
  })
  const process = await workspace.spawn({ argv: ['bash', '-c', 'make all'], cwd: '/work', joined: true })
  expect(workspace.text('a.txt')).toBe('new')
  expect(await process.exit).toEqual({ code: 0, signal: null })
  expect([await process.sweep(), await process.sweep()]).toEqual([[7], []])
  expect(workspace.spawned.map(({ argv }) => argv.at(-1))).toEqual(['make all'])
})
