// Several processes and one session: one owns it, the others attach; an owner that is frozen or killed holds nobody up.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

const slow = { chunk: 8, delayMs: 40 }
const say = (text: string) => ({ text: `${text} ${'word '.repeat(20)}`, ...slow })

const verified = async () => expect(await world.tenon(['session', 'verify', '--all'])).toMatchObject({ code: 0 })

test('two -c at once: both prompts are answered, in one session', async () => {
  const model = world.script([{ text: 'opened' }, say('first'), say('second'), say('third')])
  await world.tenon(['-p', 'open', '--model', model])
  const both = await Promise.all(
    ['eins', 'zwei'].map((text) => world.tenon(['-c', '-p', text, '--output-format', 'json'])),
  )
  for (const { code, stderr } of both) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const sessions = new Set(both.map(({ stdout }) => jsonLines(stdout)[0].session_id))
  expect(sessions.size).toBe(1)
  const { stdout } = await world.tenon(['session', 'replay', 'last'])
  expect(stdout).toContain('› eins')
  expect(stdout).toContain('› zwei')
  await verified()
})

// Again under load: a process that the machine leaves no time for may take an owner for frozen.
test('five -c at once, owners leaving under each other: every prompt is answered and none is lost', {
  retry: 2,
}, async () => {
  const model = world.script(Array.from({ length: 12 }, (_, i) => ({ text: `answer ${i}` })))
  await world.tenon(['-p', 'open', '--model', model])
  const names = Array.from({ length: 5 }, (_, i) => `prompt ${i}`)
  const all = await Promise.all(names.map((text) => world.tenon(['-c', '-p', text])))
  expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: '' })))
  const { stdout } = await world.tenon(['session', 'replay', 'last'])
  for (const text of names) expect(stdout).toContain(`› ${text}`)
  await verified()
})

test('a message to a running session is delivered in it; the sender gets the end of that run', async () => {
  const tool = { calls: [{ name: 'Bash', input: { command: 'sleep 1.5' } }] }
  const model = world.script([tool, { expect: { last: 'and more' }, text: 'both done' }])
  const first = world.start(['-p', 'work', '--model', model, '--allowedTools', 'Bash', '--output-format', 'events'])
  await first.shows('tool.started')
  const second = await world.tenon(['-c', '-p', 'and more'])
  expect(second).toMatchObject({ code: 0, stdout: 'both done\n' })
  expect((await first.done).code).toBe(0)
  await verified()
})

test('interrupt and pause from another terminal', async () => {
  const model = world.script([say('a long '.repeat(40)), { text: 'went on' }])
  const first = world.start([
    '-p',
    'work',
    '--model',
    model,
    '--output-format',
    'stream-json',
    '--include-partial-messages',
  ])
  await first.shows('text_delta')
  expect(await world.tenon(['session', 'interrupt', 'last'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('which owns the session'),
  })
  const { code, stdout } = await first.done
  expect([code, jsonLines(stdout).at(-1).terminal_reason]).toEqual([130, 'interrupted'])
  await verified()
})

test('an owner that is killed: whoever is attached takes over and goes on', async () => {
  const model = world.script([{ text: 'opened' }, say('a long '.repeat(30)), { text: 'went on' }])
  await world.tenon(['-p', 'open', '--model', model])
  const first = world.start(['-c', '-p', 'one', '--output-format', 'stream-json', '--include-partial-messages'])
  await first.shows('text_delta')
  const second = world.start(['-c', '-p', 'two', '--output-format', 'stream-json', '--include-partial-messages'])
  await second.shows('text_delta')
  first.child.kill('SIGKILL')
  const { code, stdout } = await second.done
  expect([code, jsonLines(stdout).at(-1).terminal_reason]).toEqual([0, 'done'])
  await verified()
})

test('a frozen owner: exit 7 within 3 s with holder, age and choices; --take-over works; the old owner says that it lost', async () => {
  const model = world.script([say('a long '.repeat(40)), { text: 'taken' }])
  const first = world.start([
    '-p',
    'work',
    '--model',
    model,
    '--output-format',
    'stream-json',
    '--include-partial-messages',
  ])
  await first.shows('text_delta')
  first.child.kill('SIGSTOP')
  const at = performance.now()
  const second = await world.tenon(['-c', '-p', 'hi', '--output-format', 'json'])
  const ms = performance.now() - at
  const { errors } = jsonLines(second.stdout)[0]
  expect([second.code, errors[0].code]).toEqual([7, 'session_in_use'])
  expect(errors[0].message).toMatch(new RegExp(`process ${first.child.pid} on .*last sign of life \\d+ s ago`))
  expect(errors[0].action).toContain('--take-over')
  expect(ms).toBeLessThan(3_000 + 1_500)
  const taken = await world.tenon([
    '-c',
    '-p',
    'hi',
    '--take-over',
    '--model',
    world.script([{ text: 'taken' }], 'taken.json'),
  ])
  expect(taken).toMatchObject({ code: 0, stdout: 'taken\n' })
  first.child.kill('SIGCONT')
  const { code, stdout } = await first.done
  expect([code, jsonLines(stdout).at(-1).errors[0].code]).toEqual([7, 'lease_lost'])
  await verified()
})
