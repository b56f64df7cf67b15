// Signals, a closed standard output, and children: the run is interrupted and stored, nothing is left behind.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

const during = {
  model: [{ text: 'slowly '.repeat(100), delayMs: 200 }, { text: 'went on' }],
  tool: [
    { calls: [{ name: 'Bash', input: { command: 'trap "" INT; sleep 61.5 & setsid sleep 61.75 & sleep 61.25' } }] },
    { text: 'went on' },
  ],
  ask: [{ calls: [{ name: 'Write', input: { file_path: 'a', content: 'a' } }] }, { text: 'went on' }],
  wait: [{ fail: { class: 'rate_limit', retryAfter: 60_000 }, text: 'went on' }],
} as const

const shown = { model: 'message.delta', tool: 'tool.started', ask: 'ask.opened', wait: 'model.failed' } as const
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

const start = (kind: keyof typeof during, format: string) =>
  world.start([
    '-p',
    'go',
    '--output-format',
    format,
    '--allowedTools',
    'Bash',
    '--on-ask',
    'wait',
    '--model',
    world.script(during[kind]),
  ])

const sleeping = (): Promise<number> =>
  new Promise((resolve) => spawn('pgrep', ['-f', '^sleep 61[.]']).on('close', (code) => resolve(code ?? 1)))

describe.each(['model', 'tool', 'ask', 'wait'] as const)('during %s', (kind) => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it within 5 s, and -c goes on',
    async (signal) => {
      const run = start(kind, 'events')
      await run.shows(shown[kind])
      const at = performance.now()
      run.child.kill(signal)
      const { code, stderr } = await run.done
      expect(performance.now() - at).toBeLessThan(5_500)
      expect(code).toBe(codes[signal])
      expect(stderr).toMatch(/go on with: tenon -r ses_/)
      expect(await sleeping()).toBe(1)
      expect((await world.tenon(['session', 'verify', 'last'])).code).toBe(0)
      const model = world.script([{ text: 'went on' }, { text: 'went on' }], 'again.json')
      const again = await world.tenon(['-c', '-p', 'go on', '--model', model])
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('went on') })
    },
    30_000,
  )
})

test('the result line is printed, and says what the reply was so far', async () => {
  const run = start('model', 'stream-json')
  await run.shows('"init"')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  run.child.kill('SIGTERM')
  const { stdout, code } = await run.done
  const result = jsonLines(stdout).at(-1)
  expect(result).toMatchObject({ type: 'result', exit_code: 143, terminal_reason: 'interrupted', is_error: true })
  expect([code, result.result.startsWith('slowly')]).toEqual([143, true])
})

test('a second INT ends it at once', async () => {
  const run = start('tool', 'events')
  await run.shows('tool.started')
  run.child.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const at = performance.now()
  run.child.kill('SIGINT')
  expect((await run.done).code).toBe(130)
  expect(performance.now() - at).toBeLessThan(1_000)
  expect(await sleeping()).toBe(1)
  expect((await world.tenon(['-c', '-p', 'go on'])).stdout).toContain('went on')
})

test('INT before there is a session ends it, too', async () => {
  const launcher = join(import.meta.dirname, '../../bin/tenon.cjs')
  const child = spawn(process.execPath, [launcher, '-p', '--output-format', 'json'], {
    cwd: world.folder,
    env: { PATH: process.env.PATH, TENON_HOME: world.home },
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  child.kill('SIGINT')
  // On a busy machine it may not listen yet: then the signal itself ends it, which every shell shows as 130.
  expect(
    await new Promise((resolve) => child.on('close', (code, signal) => resolve(signal === 'SIGINT' ? 130 : code))),
  ).toBe(130)
})

test('a closed standard output interrupts the run', async () => {
  const run = start('model', 'events')
  await run.shows('message.delta')
  run.child.stdout?.destroy()
  expect((await run.done).code).toBe(141)
  const { stdout } = await world.tenon(['session', 'events', 'last', '--type', 'run.ended'])
  expect(jsonLines(stdout)[0]).toMatchObject({ outcome: 'interrupted' })
})
