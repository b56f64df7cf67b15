// `tenon session …` on real sessions: lists, looks, checks that find damage, commands from another terminal.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

const session = (...args: string[]) => world.tenon(['session', ...args])
const json = async (...args: string[]) => jsonLines((await session(...args, '--json')).stdout)[0]

const write = (path: string) => ({ name: 'Write', input: { file_path: path, content: path } })
const works = [
  { text: 'I write.', calls: [write('a.txt'), { name: 'Bash', input: { command: 'seq 1 3' } }] },
  { text: 'Done.' },
]
const work = (...more: string[]) =>
  world.tenon([
    '-p',
    'work',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Bash',
    '--model',
    world.script(works),
    ...more,
  ])

const logOf = async () => {
  const { dir } = await json('show', 'last')
  const [name = ''] = readdirSync(dir).filter((file) => file.endsWith('.jsonl'))
  return { dir, path: join(dir, name) }
}

describe('looking', () => {
  test('list and show', async () => {
    expect((await session('list')).stdout).toContain('no sessions')
    await work('--title', 'Nice')
    expect((await json('list')).items).toEqual([expect.objectContaining({ title: 'Nice', status: 'done', asks: 0 })])
    expect((await session('list', '--all')).stdout).toContain(world.folder)
    expect(await json('show', 'last')).toMatchObject({
      title: 'Nice',
      status: 'done',
      runs: 1,
      messages: 3,
      calls: 2,
      last: 'Done.',
      asks: [],
      whole: true,
    })
    expect((await session('show', 'Nice')).stdout).toContain('status   done')
  })

  test('events by place and type, path, replay', async () => {
    await work()
    const all = jsonLines((await session('events', 'last')).stdout)
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i))
    const part = jsonLines(
      (await session('events', 'last', '--from', '3', '--to', '9', '--type', 'message.*,run.started')).stdout,
    )
    expect(part.every(({ seq, type }) => seq >= 3 && seq <= 9 && /^(message\.|run\.started)/.test(type))).toBe(true)
    const path = jsonLines((await session('path', 'last', '--json')).stdout)
    expect(path.map(({ id }) => id)).toEqual(all.filter(({ parent }) => parent !== undefined).map(({ id }) => id))
    const replay = (await session('replay', 'last')).stdout
    for (const text of ['› work', '▸ Write', '✓ Bash ok', 'Done.', '— run done']) expect(replay).toContain(text)
  })

  test('--follow shows what comes', async () => {
    await world.tenon(['-p', 'one', '--model', world.script([{ text: 'one' }, { text: 'two' }])])
    const follow = world.start(['session', 'events', 'last', '--follow', '--type', 'run.ended'])
    await follow.shows('run.ended')
    await world.tenon(['-c', '-p', 'more'])
    const { promise, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 1000)
    await promise
    follow.child.kill('SIGINT')
    expect(jsonLines((await follow.done).stdout)).toHaveLength(2)
  })
})

describe('verify', () => {
  test('names file and line of what was changed', async () => {
    await work()
    expect(await session('verify', 'last')).toMatchObject({ code: 0, stdout: expect.stringContaining('no problem') })
    const { path } = await logOf()
    const lines = readFileSync(path, 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"Done."') === false && line.includes('I write.'))
    writeFileSync(path, lines.map((line, i) => (i === at ? line.replace('I write.', 'I wrote.') : line)).join('\n'))
    const { code, stdout } = await session('verify', 'last')
    expect([code, stdout]).toEqual([7, expect.stringMatching(/0001\.jsonl:\d+: the request's hash is/)])
  })

  test('finds a doubled result, a lost line and a lost blob', async () => {
    await work()
    const { path, dir } = await logOf()
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const at = lines.findIndex((line) => line.includes('tool.finished'))
    writeFileSync(path, [...lines.slice(0, at), '{"broken', ...lines.slice(at + 1)].join('\n'))
    expect(await session('verify', 'last')).toMatchObject({
      code: 7,
      stdout: expect.stringMatching(/missing|has no result/),
    })
    expect(await world.tenon(['-c', '-p', 'x', '--output-format', 'json'])).toMatchObject({
      code: 7,
      stdout: expect.stringContaining('log_damaged'),
    })
    writeFileSync(path, text)
    const { blobs } = { blobs: join(dir, 'blobs') }
    const [folder = ''] = readdirSync(blobs)
    const [blob = ''] = readdirSync(join(blobs, folder))
    writeFileSync(join(blobs, folder, blob), 'something else')
    expect(await session('verify', 'last')).toMatchObject({ code: 7, stdout: expect.stringContaining(blob) })
  })

  test('a torn last line is a notice, no problem', async () => {
    await work()
    const { path } = await logOf()
    writeFileSync(path, `${readFileSync(path, 'utf8')}[{"v":1,"se`)
    expect(await session('verify', '--all')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 sound, 0 with problems'),
    })
    expect(
      await world.tenon(['-c', '-p', 'on', '--model', world.script([{}, {}, { text: 'goes on' }], 'b.json')]),
    ).toMatchObject({ code: 0, stdout: 'goes on\n' })
  })

  test('replay --check finds a decision that this build would not make', async () => {
    await work()
    expect(await session('replay', 'last', '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 differences'),
    })
    const { path } = await logOf()
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"row":"done","outcome":"done"', '"row":"pause","outcome":"paused"'))
    const changed = await session('replay', 'last', '--check')
    expect(changed).toMatchObject({
      code: 7,
      stdout: expect.stringMatching(/0001\.jsonl:\d+: seq \d+: the row "done" gives run.ended/),
    })
  })
})

describe('commands', () => {
  const asks = [{ text: 'Two files.', calls: [write('a.txt'), write('b.txt')] }, { text: 'Both written.' }]

  test('of two questions one is answered today, one tomorrow', async () => {
    const model = world.script(asks)
    expect((await world.tenon(['-p', 'go', '--on-ask', 'stop', '--model', model])).code).toBe(4)
    const { asks: open } = await json('show', 'last')
    expect(open).toHaveLength(2)
    expect((await session('list')).stdout).toContain('(2 asked)')
    // They were asked in the order in which they were judged, which is nobody's promise.
    const of = (name: string) => open.find(({ title }: { readonly title: string }) => title.includes(name)).id
    const first = await session('answer', 'last', of('b.txt'), 'allow')
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining(`answer`) })
    expect(first.stdout).toContain(of('a.txt'))
    const second = await session('answer', 'last', of('a.txt'), 'deny', '--text', 'not this one')
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Both written.') })
    expect(readdirSync(world.folder)).toEqual(['b.txt'])
    expect((await session('verify', 'last')).code).toBe(0)
    const models = jsonLines((await session('events', 'last', '--type', 'model.started')).stdout)
    expect(models).toHaveLength(2)
  })

  test('a process that waits is answered from another terminal', async () => {
    const run = world.start([
      '-p',
      'go',
      '--on-ask',
      'wait',
      '--output-format',
      'events',
      '--model',
      world.script(asks),
    ])
    await run.shows('ask.opened')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const { asks: open } = await json('show', 'last')
    for (const { id } of open)
      expect(await session('answer', 'last', id, 'allow')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('which owns the session'),
      })
    expect((await run.done).code).toBe(0)
    expect(readdirSync(world.folder).sort()).toEqual(['a.txt', 'b.txt'])
  })

  test('send, run, configure, and refusals', async () => {
    await world.tenon(['-p', 'go', '--model', world.script([{ text: 'one' }, { text: 'two' }])])
    expect(await session('send', 'last', 'more', 'of', 'it')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('two'),
    })
    expect(await session('run', 'last')).toMatchObject({ code: 2, stderr: expect.stringContaining('No message') })
    expect(await session('interrupt', 'last')).toMatchObject({ code: 2 })
    expect(await session('configure', 'last', 'title=New', 'limits.turns=7')).toMatchObject({ code: 0 })
    expect((await json('show', 'last')).title).toBe('New')
    expect(await session('configure', 'last', 'limits.turns=no')).toMatchObject({ code: 2 })
    expect(await session('show', 'nobody')).toMatchObject({ code: 2 })
  })

  test('pause leaves the run to be gone on with', async () => {
    const tool = { calls: [{ name: 'Bash', input: { command: 'sleep 1' } }] }
    const run = world.start([
      '-p',
      'go',
      '--allowedTools',
      'Bash',
      '--output-format',
      'events',
      '--model',
      world.script([tool, { text: 'after' }]),
    ])
    await run.shows('tool.started')
    expect((await session('pause', 'last')).code).toBe(0)
    expect((await run.done).code).toBe(130)
    expect((await json('show', 'last')).status).toBe('paused')
    expect(await session('run', 'last')).toMatchObject({ code: 0, stdout: expect.stringContaining('after') })
  })
})
