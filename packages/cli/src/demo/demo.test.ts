// The first thing a person tries: the demo, the model server, the help pages.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

test('the demo shows the failing test, the fix, the passing test, the diff and the log', async () => {
  const { code, stdout, stderr } = await world.tenon(['demo'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const places = [
    '✖ a line counts as often',
    '▸ Edit src/cart.js',
    '✔ a line counts as often',
    'What changed',
    'diff --git',
    'tenon session replay',
  ]
  expect(places.map((text) => stdout.indexOf(text))).toEqual(
    places.map((text) => stdout.indexOf(text)).sort((a, b) => a - b),
  )
  for (const text of places) expect(stdout).toContain(text)
  expect(stdout).not.toContain('\u001b')
  expect((await world.tenon(['session', 'verify', '--all'])).code).toBe(0)
  expect((await world.tenon(['session', 'replay', 'last', '--check'])).stdout).toContain(' 0 differences')
  expect((await world.tenon(['demo'], { env: { OPENAI_API_KEY: 'k' } })).stdout).toContain('A key of openai is set')
}, 30_000)

test('dev serves a script, or the demo', async () => {
  const file = world.script([{ text: 'from the server' }]).slice('script:'.length)
  const server = world.start(['dev', 'model-server', file, '--require-key', 'secret'])
  await server.shows('use it:')
  server.child.kill('SIGTERM')
  const { stdout, code } = await server.done
  expect(code).toBe(0)
  expect(stdout).toMatch(/^model server: http:\/\/127\.0\.0\.1:\d+\/v1\n/)
  expect((await world.tenon(['dev', 'model-server'])).code).toBe(2)
})

test('a run against the server, with the key and with another one', async () => {
  const file = world.script([{ text: 'from the server' }]).slice('script:'.length)
  const server = world.start(['dev', 'model-server', file, '--require-key', 'secret', '--strict', '--port', '0'])
  await server.shows('use it:')
  const running = world.start(['paths', '--json'])
  const { home } = world
  expect(JSON.parse((await running.done).stdout)).toEqual({
    config: `${home}/config`,
    data: `${home}/data`,
    cache: `${home}/cache`,
  })
  const url = /http:\S+/.exec(server.text())?.[0] ?? ''
  const ask = (key: string) =>
    world.tenon(['-p', 'hi', '--model', 'openai/x'], { env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } })
  expect(await ask('secret')).toMatchObject({ code: 0, stdout: 'from the server\n' })
  expect(await ask('wrong')).toMatchObject({ code: 3, stdout: '' })
  server.child.kill('SIGTERM')
  expect((await server.done).code).toBe(0)
})

test('help lists commands, flags and exit codes', async () => {
  for (const word of ['help', '--help', '-h']) {
    const { code, stdout } = await world.tenon([word])
    expect(code).toBe(0)
    for (const text of ['session COMMAND', '--max-turns N', 'verify ID | --all', 'Exit codes'])
      expect(stdout).toContain(text)
  }
})
