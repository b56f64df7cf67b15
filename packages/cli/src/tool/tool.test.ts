// `tenon tool`: a person's own call, with the same locks, caps and events as an agent's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

const run = async (name: string, input: unknown, ...more: string[]) => {
  const ran = await world.tenon(['tool', 'run', name, '--input', JSON.stringify(input), ...more])
  return { ...ran, result: jsonLines(ran.stdout).at(-1) }
}

test('list', async () => {
  const { stdout } = await world.tenon(['tool', 'list', '--json'])
  expect(jsonLines(stdout)[0].map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob']),
  )
})

test('the last line of stdout is the result; the exit code says how it ended', async () => {
  writeFileSync(join(world.folder, 'a.txt'), 'one\n')
  expect(await run('Read', { file_path: 'a.txt' })).toMatchObject({ code: 0, result: { status: 'ok' } })
  expect(await run('Bash', { command: 'echo loud; exit 3' })).toMatchObject({
    code: 1,
    result: { status: 'error' },
    stderr: expect.stringContaining('loud'),
  })
  expect(await run('Read', { file_path: 'none' })).toMatchObject({
    code: 1,
    result: { status: 'error', content: [{ code: 'file_missing' }] },
  })
  expect(await run('Read', { file: 3 })).toMatchObject({ code: 1, result: { status: 'error' } })
  expect(await world.tenon(['tool', 'run', 'Raed'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Read') })
  expect(await world.tenon(['tool', 'run', 'Read', '--input', '{'])).toMatchObject({ code: 2 })
})

test('in a session it is part of the conversation, a deny rule holds, and nothing else is answered by it', async () => {
  const model = world.script([{ text: 'one' }, { expect: { last: 'I ran Bash' }, text: 'two' }])
  await world.tenon(['-p', 'go', '--model', model, '--disallowedTools', 'Write'])
  expect(await run('Bash', { command: 'echo mine' }, '--session', 'last')).toMatchObject({
    code: 0,
    result: { status: 'ok' },
  })
  expect(await run('Write', { file_path: 'b', content: 'b' }, '--session', 'last')).toMatchObject({
    code: 4,
    result: { status: 'denied' },
  })
  const events = jsonLines(
    (await world.tenon(['session', 'events', 'last', '--type', 'tool.finished,model.started'])).stdout,
  )
  expect(events.map(({ type }) => type)).toEqual(['model.started', 'tool.finished', 'tool.finished'])
  expect((await world.tenon(['session', 'verify', 'last'])).code).toBe(0)
  expect((await world.tenon(['session', 'replay', 'last', '--check'])).code).toBe(0)
})
