// A user's machine for tests: a home, a project folder, and the real command as a child process.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerTurn } from '@tenon/testkit'

const root = join(import.meta.dirname, '../../../..')
const launcher = join(root, 'packages/cli/bin/tenon.cjs')

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly done: Promise<Ran>
  /** Resolves when standard output or error has shown the text. @throws when it ended without */
  shows(text: string): Promise<void>
  /** Standard output so far. */
  text(): string
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Bytes for standard input; absent: none at all. */
  readonly stdin?: string | Buffer
  readonly cwd?: string
}

export interface World {
  readonly home: string
  readonly folder: string
  start(args: readonly string[], options?: RunOptions): Running
  tenon(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Writes a script for the model and returns what `--model` takes. */
  script(turns: readonly ServerTurn[], name?: string): string
  clean(): void
}

export function createWorld(): World {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'tenon-cli-')))
  const home = join(base, 'home')
  const folder = join(base, 'project')
  mkdirSync(folder)
  const { PATH = '' } = process.env
  const env = {
    PATH,
    HOME: base,
    TENON_HOME: home,
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
    TZ: 'UTC',
  }
  const start = (args: readonly string[], options: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(options.stdin)
    return follow(child)
  }
  return {
    home,
    folder,
    start,
    tenon: (args, options) => start(args, options).done,
    script: (turns, name = 'script.json') => {
      const path = join(base, name)
      writeFileSync(path, JSON.stringify({ turns }))
      return `script:${path}`
    },
    clean: () => rmSync(base, { recursive: true, force: true }),
  }
}

function follow(child: ChildProcess): Running {
  const text = { stdout: '', stderr: '' }
  const wake = new Set<() => void>()
  let ended = false
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      for (const look of wake) look()
    })
  }
  const done = new Promise<Ran>((resolve) => {
    child.on('close', (code) => {
      ended = true
      for (const look of wake) look()
      resolve({ code, ...text })
    })
  })
  return {
    child,
    done,
    text: () => text.stdout,
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (text.stdout.includes(wanted) || text.stderr.includes(wanted)) resolve()
          else if (ended) reject(new Error(`ended without "${wanted}":\n${text.stdout}\n${text.stderr}`))
          else return
          wake.delete(look)
        }
        wake.add(look)
        look()
      }),
  }
}

/** Each line as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into what other programs would see
export const jsonLines = (text: string): any[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
