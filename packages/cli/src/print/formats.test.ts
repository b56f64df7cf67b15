// The main job over real HTTP in each wire format, against a server that refuses what that provider refuses.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelServer, startModelServer } from '@tenon/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
let server: ModelServer
beforeEach(() => {
  world = createWorld()
  writeFileSync(join(world.folder, 'package.json'), '{"type":"module","scripts":{"test":"node --test"}}')
  writeFileSync(join(world.folder, 'sum.js'), 'export const sum = (a, b) => a - b\n')
  writeFileSync(
    join(world.folder, 'sum.test.js'),
    "import { test } from 'node:test'\nimport { equal } from 'node:assert'\nimport { sum } from './sum.js'\ntest('sum', () => equal(sum(1, 2), 3))\n",
  )
})
afterEach(async () => {
  await server.close()
  world.clean()
})

const run = { name: 'Bash', input: { command: 'npm test --silent' } }
const story = [
  {
    reasoning: 'First the tests.',
    text: 'I run the tests.',
    calls: [run, { name: 'Read', input: { file_path: 'sum.js' } }],
  },
  {
    reasoning: 'A sign.',
    calls: [{ name: 'Edit', input: { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' } }],
  },
  { calls: [run] },
  { text: 'The tests pass now.' },
]

test.each(['openai-chat', 'openai-responses', 'anthropic', 'google'])('%s: a failing test is fixed', async (api) => {
  server = await startModelServer({ script: story, strict: true })
  const base = api === 'google' ? `${server.origin}/v1beta` : `${server.origin}/v1`
  mkdirSync(join(world.home, 'config'), { recursive: true })
  writeFileSync(
    join(world.home, 'config/config.jsonc'),
    JSON.stringify({ model: 'acme/large', providers: { acme: { api, baseUrl: base, apiKeyEnv: 'ACME_API_KEY' } } }),
  )
  const args = ['-p', 'make the tests pass', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(npm test *)']
  const { code, stdout } = await world.tenon([...args, '--output-format', 'stream-json'], {
    env: { ACME_API_KEY: 'k' },
  })
  const lines = jsonLines(stdout)
  expect([code, lines[0].subtype, lines.at(-1).result]).toEqual([0, 'init', 'The tests pass now.'])
  expect(readFileSync(join(world.folder, 'sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b\n')
  expect(server.requests).toHaveLength(4)
  expect(await world.tenon(['session', 'verify', 'last'])).toMatchObject({ code: 0 })
  expect(await world.tenon(['session', 'replay', 'last', '--check'])).toMatchObject({ code: 0 })
})
