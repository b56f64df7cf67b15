// `tenon -p` as a user meets it: real processes, a home of its own, scripted models.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, jsonLines, type World } from '../testing/world.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.clean())

const hello = [{ text: 'Hello there.' }]
const writes = [
  { text: 'I write it.', calls: [{ name: 'Write', input: { file_path: 'out.txt', content: 'x' } }] },
  { text: 'Could not.' },
  // For a build that asks whether the change was checked.
  { text: 'Could not.' },
]

describe('formats', () => {
  test('text is the final reply and nothing else', async () => {
    const ran = await world.tenon(['-p', 'hi', '--model', world.script(hello)])
    expect(ran).toEqual({ code: 0, stdout: 'Hello there.\n', stderr: '' })
  })

  test('json is one result object', async () => {
    const { stdout, code } = await world.tenon([
      '-p',
      'hi',
      '--output-format=json',
      '--model',
      world.script(hello),
      '-o',
      'last.txt',
    ])
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'Hello there.',
        num_turns: 1,
        total_cost_usd: null,
        permission_denials: [],
        terminal_reason: 'done',
        errors: [],
        exit_code: 0,
        session_id: expect.stringMatching(/^ses_\w{26}$/),
      }),
    ])
    expect(readFileSync(join(world.folder, 'last.txt'), 'utf8')).toBe('Hello there.')
  })

  test('stream-json begins with init, ends with the result, and every line of it parses', async () => {
    const model = world.script([
      { reasoning: 'Hm.', text: 'Looking.', calls: [{ name: 'Bash', input: { command: 'echo out; echo err >&2' } }] },
      { text: 'Done \u001b[31m\u2028 it.' },
    ])
    const args = [
      '-p',
      'hi',
      '--output-format',
      'stream-json',
      '--include-partial-messages',
      '--verbose',
      '--model',
      model,
    ]
    const { stdout, stderr, code } = await world.tenon([...args, '--allowedTools', 'Bash'])
    expect(code).toBe(0)
    expect(stdout).not.toContain('\u001b')
    expect(stderr).toContain('→ Bash echo out')
    const lines = jsonLines(stdout)
    expect(lines[0]).toMatchObject({
      type: 'system',
      subtype: 'init',
      cwd: world.folder,
      model,
      mcp_servers: [],
      apiKeySource: 'none',
    })
    const main = lines.filter(({ type }) => type !== 'stream_event')
    expect(main.map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'assistant',
      'user',
      'assistant',
      'success',
    ])
    expect(main[1].message.content.map((block: { type: string }) => block.type)).toEqual([
      'thinking',
      'text',
      'tool_use',
    ])
    expect(main[2].message.content[0]).toMatchObject({
      type: 'tool_result',
      tool_use_id: main[1].message.content[2].id,
      is_error: false,
    })
    expect(main[1].message.stop_reason).toBe('tool_use')
    const events = lines.filter(({ type }) => type === 'stream_event').map(({ event }) => event)
    const spoken = events.filter(({ delta }) => delta?.type === 'text_delta').map(({ delta }) => delta.text)
    expect(spoken.join('')).toBe('Looking.Done \u001b[31m\u2028 it.')
    const starts = events.filter(({ type }) => type === 'message_start').length
    expect([starts, events.filter(({ type }) => type === 'message_stop').length]).toEqual([2, 2])
  })

  test('events are those of the log', async () => {
    const { stdout } = await world.tenon(['-p', 'hi', '--output-format', 'events', '--model', world.script(hello)])
    const events = jsonLines(stdout).filter(({ seq }) => seq !== undefined)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', outcome: 'done' })
    const stored = await world.tenon(['session', 'events', 'last'])
    expect(jsonLines(stored.stdout)).toEqual(events)
  })
})

describe('the prompt', () => {
  const echo = (last: string) => ['--model', world.script([{ expect: { last }, text: 'seen' }])]

  test('comes from a flag, words, a file, a pipe, or several of them', async () => {
    writeFileSync(join(world.folder, 'prompt.md'), 'from a file')
    expect(await world.tenon(['-p', ...echo('piped'), '-'], { stdin: 'piped alone' })).toMatchObject({
      code: 0,
      stdout: 'seen\n',
    })
    expect((await world.tenon(['-p', 'typed', ...echo('typed')])).code).toBe(0)
    expect((await world.tenon(['typed', 'words', '-p', ...echo('typed words')])).code).toBe(0)
    expect((await world.tenon(['-f', 'prompt.md', ...echo('from a file')])).code).toBe(0)
    expect((await world.tenon(['-p', 'question', ...echo('context')], { stdin: 'context' })).code).toBe(0)
  })

  test('a pipe that stays silent is not waited for', async () => {
    const run = world.start(['-p', 'hi', '--model', world.script(hello)], { stdin: '' })
    expect((await run.done).code).toBe(0)
    const { spawn } = await import('node:child_process')
    const sleeper = spawn('sleep', ['20'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const open = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../bin/tenon.cjs'), '-p', 'hi', '--model', world.script(hello)],
      {
        stdio: [sleeper.stdout, 'pipe', 'pipe'],
        cwd: world.folder,
        env: { PATH: process.env.PATH, TENON_HOME: world.home },
      },
    )
    expect(await new Promise((resolve) => open.on('close', resolve))).toBe(0)
    sleeper.kill('SIGKILL')
  })

  test('broken UTF-8 is marked and said; a long input is stored', async () => {
    const bad = await world.tenon(['-p', 'q', ...echo('bad \ufffd byte')], {
      stdin: Buffer.from('bad \xff byte', 'latin1'),
    })
    expect(bad).toMatchObject({ code: 0, stderr: expect.stringContaining('not valid UTF-8') })
    const long = await world.tenon(['-p', 'q', ...echo('is stored as blob:')], {
      stdin: Buffer.alloc((10 << 20) + 1, 'a'),
    })
    expect(long.code).toBe(0)
    expect((await world.tenon(['session', 'verify', 'last'])).code).toBe(0)
  })
})

describe('sessions', () => {
  test('-c goes on with the newest of the project, -r with any, by id, start and title', async () => {
    const model = world.script([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }])
    const first = await world.tenon(['-p', 'a', '--model', model, '--session-id', 'mine-1', '--title', 'My work'])
    expect(first.stdout).toBe('one\n')
    expect((await world.tenon(['-c', '-p', 'b'])).stdout).toBe('two\n')
    expect((await world.tenon(['-r', 'ses_mine', '-p', 'c'])).stdout).toBe('three\n')
    expect((await world.tenon(['-r', 'My work', '-p', 'd'])).stdout).toBe('four\n')
    expect((await world.tenon(['-p', 'again', '--session-id', 'mine-1', '--model', model])).code).toBe(2)
    const list = jsonLines((await world.tenon(['session', 'list', '--json'])).stdout)[0]
    expect(list.items).toEqual([expect.objectContaining({ id: 'ses_mine-1', title: 'My work', status: 'done' })])
    expect((await world.tenon(['session', 'verify', '--all'])).code).toBe(0)
  })

  test('without a prompt -c needs something that waits', async () => {
    await world.tenon(['-p', 'a', '--model', world.script(hello)])
    expect(await world.tenon(['-c', '--output-format', 'json'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('nothing_to_run'),
    })
    expect((await world.tenon(['-p', 'x', '-r', 'nothing'])).code).toBe(2)
  })

  test('nothing is kept with --no-session-persistence', async () => {
    expect((await world.tenon(['-p', 'hi', '--no-session-persistence', '--model', world.script(hello)])).code).toBe(0)
    expect(existsSync(join(world.home, 'data'))).toBe(false)
  })
})

describe('exit codes', () => {
  const json = async (...args: string[]) => {
    const { code, stdout } = await world.tenon(['-p', 'go', '--output-format', 'json', ...args])
    const result = jsonLines(stdout).at(-1)
    expect(result.exit_code).toBe(code)
    if (code !== 0) expect(result.errors[0].action).toMatch(/\w/)
    return { ...result, code }
  }

  test('2: misuse names the nearest flag and tells it in the format asked for', async () => {
    expect(await json('--max-turn', '3')).toMatchObject({
      code: 2,
      errors: [{ code: 'usage', action: expect.stringContaining('--max-turns') }],
    })
    expect((await world.tenon(['--output-format', 'json'])).code).toBe(2)
    expect((await json('--max-turns', 'many')).code).toBe(2)
    expect((await json('--api-key', 'k')).code).toBe(2)
    expect((await world.tenon(['session', 'lisst'])).stderr).toContain('session list')
  })

  test('3: no key, unknown provider, a key that is refused, no money', async () => {
    expect((await json('--model', 'openai/x')).code).toBe(3)
    expect((await json('--model', 'nobody/x')).code).toBe(3)
    expect((await json('--model', world.script([{ fail: { class: 'auth', status: 401 } }]))).code).toBe(3)
    expect((await json('--model', world.script([{ fail: { class: 'quota' } }]))).code).toBe(3)
  })

  test('1: refused, the window is too small, the agent says it is blocked', async () => {
    expect((await json('--model', world.script([{ finish: 'refused' }, { finish: 'refused' }]))).code).toBe(1)
    expect((await json('--model', world.script([{ fail: { class: 'context_overflow' } }]))).code).toBe(1)
    const blocked = [{ calls: [{ name: 'Finish', input: { outcome: 'blocked', summary: 'No access.' } }] }]
    expect(await json('--model', world.script(blocked))).toMatchObject({ code: 1, terminal_reason: 'done' })
  })

  test('6: the provider stays away', async () => {
    const busy = [{ fail: { class: 'rate_limit', status: 429, retryAfter: 3_600_000 } }] as const
    expect(await json('--model', world.script(busy))).toMatchObject({ code: 6, errors: [{ class: 'rate_limit' }] })
  })

  test('5: a limit; -c then goes on', async () => {
    const call = { calls: [{ name: 'Bash', input: { command: 'true' } }] }
    const model = world.script([call, { ...call, text: 'more' }, { text: 'summed up' }, { text: 'went on' }])
    const limited = await json('--model', model, '--max-turns', '2', '--allowedTools', 'Bash')
    expect(limited).toMatchObject({
      code: 5,
      subtype: 'error_max_turns',
      result: 'summed up',
      terminal_reason: 'limit',
    })
    expect(await world.tenon(['-c', '-p', 'go on', '--max-turns', '9'])).toMatchObject({ code: 0, stdout: 'went on\n' })
  })

  test('8: stuck', async () => {
    const same = { calls: [{ name: 'Bash', input: { command: 'echo same' } }] }
    const { code } = await json(
      '--allowedTools',
      'Bash',
      '--model',
      world.script(Array.from({ length: 20 }, () => same)),
    )
    expect(code).toBe(8)
  })

  test('4 and 0: a call that nobody can approve', async () => {
    const model = world.script(writes)
    const denied = await json('--model', model)
    expect(denied).toMatchObject({
      code: 0,
      permission_denials: [{ tool_name: 'Write', reason: expect.stringContaining('Nobody') }],
    })
    expect((await json('--model', model, '--strict-permissions')).code).toBe(4)
    const asked = await json('--model', model, '--on-ask', 'stop')
    expect(asked).toMatchObject({ code: 4, terminal_reason: 'asked', subtype: 'error_during_execution' })
    const [, session = '', ask = ''] = /answer (\S+) (\S+) allow/.exec(asked.errors[0].action) ?? []
    const answered = await world.tenon(['session', 'answer', session, ask, 'allow'])
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('Could not.') })
    expect(readFileSync(join(world.folder, 'out.txt'), 'utf8')).toBe('x')
    expect(await world.tenon(['session', 'answer', session, ask, 'allow'])).toMatchObject({ code: 2 })
  })

  test('7: storage that cannot be written', async () => {
    writeFileSync(join(world.folder, 'file'), '')
    const { code, stdout } = await world.tenon(
      ['-p', 'go', '--output-format', 'json', '--model', world.script(hello)],
      {
        env: { TENON_HOME: join(world.folder, 'file') },
      },
    )
    expect([code, jsonLines(stdout)[0].exit_code]).toEqual([7, 7])
  })

  test('root may not skip permissions unless told that it may', async () => {
    if (process.getuid?.() !== 0) return
    expect((await json('--dangerously-skip-permissions')).code).toBe(2)
    const args = ['-p', 'go', '--yolo', '--model', world.script(writes)]
    const { code } = await world.tenon(args, { env: { TENON_ALLOW_ROOT: '1' } })
    expect([code, existsSync(join(world.folder, 'out.txt'))]).toEqual([0, true])
  })
})
