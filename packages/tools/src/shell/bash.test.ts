import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalWorkspace } from '@tenon/host'
import { createToolBench, resultText } from '@tenon/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { read } from '../file/read.ts'
import { bash } from './bash.ts'

const root = mkdtempSync(join(tmpdir(), 'tenon-bash-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const env = {
  ...process.env,
  OPENAI_API_KEY: 'k',
  MY_SECRET_THING: 's',
  GH_TOKEN: 't',
  TENON_HOME: 'x',
  BASH_ENV: '/etc/hostname',
}
const bench = createToolBench(createLocalWorkspace(root, { env }))

async function run(command: string, fields: { timeout?: number } = {}) {
  const started = performance.now()
  const result = await bench.run(bash, { command, ...fields })
  return { status: result.status, exit: result.exit, text: resultText(result), ms: performance.now() - started, result }
}

/** Command lines of living processes that hold the word. */
const living = (word: string): readonly string[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'latin1')
      return line.includes(word) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${name}/stat`, 'latin1')) ? [line] : []
    } catch {
      return []
    }
  })

describe('the bytes of a command reach the shell unaltered', () => {
  test.concurrent.each([
    ["printf %s 'a!b' | od -An -tx1", ' 61 21 62'],
    ['cat <<\'EOF\'\n$HOME `x` \\n !! "q"\nEOF', '$HOME `x` \\n !! "q"'],
    ['printf "%s" "ü→😀" | od -An -tx1', ' c3 bc e2 86 92 f0 9f 98 80'],
    ['X=1; echo "$X" | wc -c', '2'],
    ['echo $0 $#', 'bash 0'],
    ['declare -A m; m[a]=1; echo ${m[a]} nomatch*', '1 nomatch*'],
    ['# a comment\necho after', 'after'],
  ])('%s', async (command, expected) => {
    const { status, text } = await run(command)
    expect({ status, text: text.split('\n').slice(1).join('\n') }).toEqual({ status: 'ok', text: expected })
  })

  test('a command longer than one argument can be', async () => {
    const long = `printf '%s' '${'ü!$'.repeat(60_000)}' | md5sum; echo "$#"`
    const direct = await run(`python3 -c "import hashlib; print(hashlib.md5(('ü!\\$'*60000).encode()).hexdigest())"`)
    const { text } = await run(long)
    expect(text.split('\n').slice(1)).toEqual([`${direct.text.split('\n')[1]}  -`, '0'])
  })
})

describe('output', () => {
  test('both streams and the exit code reach the model, in order', async () => {
    const { status, exit, text } = await run('for i in 1 2 3; do echo o$i; echo e$i >&2; done; exit 3')
    expect({ status, exit }).toEqual({ status: 'error', exit: 3 })
    expect(text.split('\n').slice(1)).toEqual(['o1', 'e1', 'o2', 'e2', 'o3', 'e3'])
  })

  test('/dev/stderr and /dev/stdout can be written', async () => {
    expect((await run('echo a > /dev/stderr; echo b | tee /dev/stdout')).text.split('\n').slice(1)).toEqual([
      'a',
      'b',
      'b',
    ])
  })

  test.concurrent.each([
    ['a progress bar is one line', 'for i in 1 2 3; do printf "\\r%d%%" $i; done; echo " done"', '3% done'],
    ['backspace and erase', 'printf "abc\\b\\bX\\n12345\\r\\033[Knew\\n"', 'aXc\nnew'],
    ['cursor up', 'printf "one\\ntwo\\n\\033[2A\\033[2KONE\\n\\033[2KTWO\\n"', 'ONE\nTWO'],
    ['colours and titles', 'printf "\\033[1;31mred\\033[0m \\033]0;title\\007x\\n"', 'red x'],
    ['NUL and controls', 'printf "a\\0b\\x01c\\n"', 'a\\x00b\\x01c'],
    ['half a character', 'printf "\\xe2\\x86\\n\\xff\\xfe\\xd6\\xd0"', '\\xe2\\x86\n\\xff\\xfe\\xd6\\xd0'],
    ['CRLF', 'printf "a\\r\\nb\\r\\n"', 'a\nb'],
  ])('%s', async (_, command, expected) => {
    const { text } = await run(command)
    expect(text.split('\n').slice(1).join('\n')).toBe(expected)
    expect(text.isWellFormed()).toBe(true)
  })

  test('long output is head and tail, and Read goes on where the head ended', async () => {
    const { result, text } = await run('seq 1 20000')
    const [, missing, total, sha256, offset] =
      /\[cut: ([\d,]+) of ([\d,]+) lines; whole: blob:(\w+); Read it with offset (\d+)\]/.exec(text) ?? []
    expect({ total, raw: result.raw?.sha256 }).toEqual({ total: '20,000', raw: sha256 })
    const lines = text.split('\n')
    const cut = lines.findIndex((line) => line.startsWith('[cut'))
    expect(lines[cut - 1]).toBe(String(Number(offset) - 1))
    expect(Number(lines[cut + 1])).toBe(Number(offset) + Number(missing?.replace(',', '')))
    expect(lines.at(-1)).toBe('20000')
    const more = await bench.run(read, { file_path: `blob:${sha256}`, offset: Number(offset), limit: 1 })
    expect(resultText(more)).toContain(`→${offset}\n`)
  })

  test('one endless line is cut too', async () => {
    const { text } = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo end')
    expect(text.length).toBeLessThan(13_000)
    expect(text).toMatch(/xxx\n\[cut: 1 of 1 lines;.*offset 1\]\nx/)
    expect(text.endsWith('xend')).toBe(true)
  })
})

describe('what a code means', () => {
  test.concurrent.each([
    ['grep zzz /etc/hostname', 'ok', 'no line matched'],
    ['echo a | grep -q zzz', 'ok', 'no line matched'],
    ['diff /etc/hostname /etc/passwd > /dev/null', 'ok', 'the files differ'],
    ['test -e /nothing', 'ok', 'the condition is false'],
    ['grep zzz /nothing', 'error', 'exit 2'],
    ['no-such-program', 'error', 'command not found'],
    ['kill -9 $$', 'error', 'SIGKILL'],
    ['touch plain; ./plain', 'error', 'not executable'],
    ['false', 'error', 'exit 1,'],
  ])('%s', async (command, status, hint) => {
    const found = await run(command)
    expect(found.status).toBe(status)
    expect(found.text).toContain(hint)
  })
})

describe('the environment', () => {
  test('keys, start-up files and our own variables are not there', async () => {
    const { text } = await run('env')
    for (const name of ['OPENAI_API_KEY', 'MY_SECRET_THING', 'GH_TOKEN', 'TENON_HOME', 'BASH_ENV'])
      expect(text).not.toContain(name)
    for (const pair of ['PAGER=cat', 'GIT_PAGER=cat', 'GIT_TERMINAL_PROMPT=0', 'TERM=dumb', 'NO_COLOR=1', 'TENON_JOB='])
      expect(text).toContain(pair)
  })

  test.concurrent.each(['read x; echo "got [$x] $?"', 'cat', 'head -1', 'python3 -c "input()"; true'])(
    'input is at its end: %s',
    async (command) => {
      expect((await run(command)).ms).toBeLessThan(5000)
    },
  )
})

test('JSON and Python are not shell', async () => {
  expect((await run('{"command": "ls"}')).text).toContain('shell_not_shell')
  expect((await run('from os import path\nprint(path)')).text).toContain('shell_not_shell')
  expect((await run('{ echo a; echo b; }')).status).toBe('ok')
})

test('a cancelled command leaves nothing and rejects with the reason', async () => {
  const control = new AbortController()
  const work = bench.run(bash, { command: 'sleep 4311 & setsid sleep 4311 & wait' }, control.signal)
  setTimeout(() => control.abort(new Error('stop')), 200)
  await expect(work).rejects.toThrow('stop')
  expect(living('4311')).toEqual([])
})

describe('torture: every command ends in time and leaves no process', () => {
  const cases: readonly (readonly [command: string, expected: RegExp, timeout?: number])[] = [
    ['sleep 4321 & echo done', /done\n\[A process left running/],
    ['(sleep 4321 &) ; echo done', /done\n\[A process/],
    ['nohup sleep 4321 > /dev/null 2>&1 & echo done', /done/],
    ['setsid sleep 4321 & echo done', /done/],
    ['setsid sleep 4321 > /dev/null 2>&1 < /dev/null & disown; echo done', /done/],
    ['setsid bash -c "setsid sleep 4321 & setsid sleep 4321 & wait" & echo done', /done/],
    ['env -i setsid sleep 4321 & echo done', /done/],
    ['bash -c "trap \'\' INT TERM HUP; sleep 4321; sleep 4321" & echo done', /done/],
    ['trap "" INT TERM; sleep 4321; sleep 4321', /tool_timeout/, 700],
    ['for i in 1 2 3 4 5 6 7 8; do sleep 4321 & done; echo done', /8 processes left running/],
    ['coproc sleep 4321; echo done', /done/],
    ['sleep 4321', /tool_timeout/, 700],
    ['echo before; sleep 4321', /before/, 700],
    ['cat < /dev/zero > /dev/null', /tool_timeout/, 700],
    ['while :; do :; done', /tool_timeout/, 700],
    ['f() { sleep 4321 | sleep 4321; }; f', /tool_timeout/, 700],
    ['exec sleep 4321', /tool_timeout/, 700],
    ['exec 1>&- 2>&-; sleep 0.2; exit 5', /exit 5/],
    ['exec > /dev/null 2>&1; sleep 4321', /tool_timeout/, 700],
    ['yes | head -5', /y\ny\ny\ny\ny/],
    ['seq 1 200000 | tail -1', /200000/],
    ['head -c 3000000 /dev/urandom | od | tail -1; echo done', /done/],
    ['head -c 5000000 /dev/zero; echo done', /done/],
    ['mkfifo p1; cat p1', /tool_timeout/, 700],
    ['echo x > p2 & cat p2; rm -f p2', /x|No such file/],
    ['kill -STOP $$', /tool_timeout|SIG/, 700],
    ['kill -TERM $$', /SIGTERM/],
    ['kill 0', /SIGTERM/],
    ['ulimit -v 10000; python3 -c "x = 1"; true', /exit 0/],
    [
      'python3 -c "import os; os.fork() or os.setsid() or (os.fork() or __import__(\'time\').sleep(4321))"; echo done',
      /done/,
    ],
    [
      'python3 -c "import signal,time; [signal.signal(s, signal.SIG_IGN) for s in (1,2,15)]; time.sleep(4321)"',
      /tool_timeout/,
      700,
    ],
    ['ssh -o BatchMode=no nobody@127.0.0.1 -p 1; true', /exit 0/],
    ['python3 -c "import getpass; getpass.getpass()"; true', /exit 0/],
    ['stty -a; tty; true', /not a tty/],
    ['printf "no newline"', /no newline$/],
    ['printf ""', /exit 0/],
    ['printf "\\0\\0\\0"', /\\x00\\x00\\x00/],
    ['printf "\\xe2\\x82"; sleep 0.05; printf "\\xac\\n"', /€/],
    ['echo $BASHPID; exit 255', /exit 255/],
    ['cd /; pwd; cd /nonexistent; pwd', /\/\n.*No such file.*\n\//],
    ['bash -c "sleep 0.3; echo late" & echo early', /early/],
  ]

  test.concurrent.each(cases.map(([command, expected, timeout = 10_000]) => ({ command, expected, timeout })))(
    '$command',
    async ({ command, expected, timeout }) => {
      const { text, ms } = await run(command, { timeout })
      expect(text).toMatch(expected)
      expect(ms).toBeLessThan(timeout + 7000)
    },
  )

  test('nothing is left of all that', () => {
    expect(living('4321')).toEqual([])
  })
})
