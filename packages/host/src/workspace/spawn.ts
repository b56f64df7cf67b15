// Starts a program in a session and process group of its own and answers for everything that it starts.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Process, SpawnRequest } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import type { Family } from './descendants.ts'
import { childEnvironment } from './environment.ts'
import { codeOf } from './failure.ts'
import { endFamily, interruptStages, sweepStages } from './kill.ts'
import { createOutput } from './output.ts'
import { type OutputPipe, openPipe } from './pipe.ts'

export interface SpawnOptions {
  /** Environment of spawned processes before key-like names are removed; default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where output pipes get their names for a moment; default: the system's temporary folder. */
  readonly scratch?: string
}

/** Milliseconds between exit and the end of the output, for what the pipe still holds. */
const drain = 100

export async function spawnLocal(request: SpawnRequest, options: SpawnOptions): Promise<Process> {
  const mark = randomBytes(9).toString('hex')
  // Joined streams need one real pipe under both descriptors; apart, Node's own pipes do.
  const pipe = request.joined ? await openPipe(options.scratch ?? tmpdir()) : undefined
  const child = await start(request, pipe, childEnvironment(options.env ?? process.env, request.env ?? {}, mark))
  const exit = new Promise<Awaited<Process['exit']>>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ code: child.exitCode, signal: child.signalCode })
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const family: Family = { group: child.pid ?? 0, mark, ...(pipe && { pipe: pipe.name }) }
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(request.stdin)
  return {
    pid: family.group,
    output: createOutput(sourcesOf(child, pipe), exit, drain),
    exit,
    kill: async () => {
      await endFamily(family, interruptStages)
    },
    sweep: () => endFamily(family, sweepStages),
  }
}

function start(
  request: SpawnRequest,
  pipe: OutputPipe | undefined,
  env: Record<string, string>,
): Promise<ChildProcess> {
  const [program, ...args] = request.argv
  const output: StdioOptions = pipe ? [pipe.writer, pipe.writer] : ['pipe', 'pipe']
  const stdin = request.stdin ? 'pipe' : 'ignore'
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      pipe?.source.destroy()
      reject(spawnFailed(request, error))
    }
    try {
      const child = spawn(program, args, { cwd: request.cwd, env, detached: true, stdio: [stdin, ...output] })
      child.once('error', fail)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      fail(error)
    } finally {
      if (pipe) closeSync(pipe.writer)
    }
  })
}

type Sources = Parameters<typeof createOutput>[0]

function sourcesOf(child: ChildProcess, pipe: OutputPipe | undefined): Sources {
  if (pipe) return [{ stream: 'out', source: pipe.source }]
  const { stdout, stderr } = child
  return [
    ...(stdout ? [{ stream: 'out' as const, source: stdout }] : []),
    ...(stderr ? [{ stream: 'err' as const, source: stderr }] : []),
  ]
}

function spawnFailed(request: SpawnRequest, error: unknown): TenonError {
  const code = codeOf(error)
  const noFolder = code === 'ENOENT' && !statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()
  const why = noFolder
    ? `the folder ${request.cwd} is not there`
    : error instanceof Error
      ? error.message
      : String(error)
  const action = {
    E2BIG: 'The arguments are too long for the system: pass less, or write them to a file.',
    ENOENT: noFolder ? 'Choose a folder that exists.' : 'Install the program, or check its name.',
    EACCES: 'Make the file executable, or check the path.',
  }[code]
  return new TenonError(
    {
      code: 'spawn_failed',
      message: `${request.argv[0]} could not be started: ${why}.`,
      action: action ?? 'Check the program and its arguments.',
      cause: code,
    },
    { program: request.argv[0], cwd: request.cwd },
  )
}
