// For tests: real runs against the strict model server over HTTP, killed with -9 at random instants, then gone on with.
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerTurn, startModelServer } from '@tenon/testkit'
import { createWorld, jsonLines, type Running } from './world.ts'

/** Enough turns that every kill finds work: each with a call or three, some text, and a little time to be killed in. */
const turns: readonly ServerTurn[] = Array.from({ length: 60 }, (_, i) => ({
  text: `Step ${i}.`,
  delayMs: 4,
  chunk: 3,
  ...(i % 4 < 3 && { calls: callsOf(i) }),
}))

function callsOf(i: number): NonNullable<ServerTurn['calls']> {
  const write = { name: 'Write', input: { file_path: `file-${i}.txt`, content: `${i}\n`.repeat(50) } }
  const bash = { name: 'Bash', input: { command: `echo ${i} >> log.txt; sleep 0.05` } }
  const read = { name: 'Read', input: { file_path: 'notes.txt' } }
  return [[bash], [read, write], [bash, read, write]][i % 3] ?? []
}

export interface Crashed {
  /** Kills that found the process alive. */
  readonly killed: number
  /** Runs that were cut in the middle: those that a recovery had to end. */
  readonly cut: number
  /** Every run that was not as it should be, told whole. */
  readonly problems: readonly string[]
}

/** @param random uniform in [0, 1) */
export async function crashRuns(kills: number, random: () => number): Promise<Crashed> {
  const problems: string[] = []
  let killed = 0
  let cut = 0
  for (let left = kills; left > 0; ) {
    const rounds = Math.min(left, 10)
    const result = await crashSession(rounds, random)
    killed += result.killed
    cut += result.cut
    problems.push(...result.problems)
    left -= rounds
  }
  return { killed, cut, problems }
}

/** One session: several runs of it killed, then one that ends; then everything about it has to be in order. */
async function crashSession(kills: number, random: () => number): Promise<Crashed> {
  const world = createWorld()
  const server = await startModelServer({ script: turns, strict: true })
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'any' }
  const problems: string[] = []
  let killed = 0
  let cut = 0
  writeFileSync(join(world.folder, 'notes.txt'), 'notes\n')
  const base = ['--model', 'openai/script', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', '-p']
  try {
    const first = await world.tenon(['--title', 'crash', ...base, 'begin'], { env })
    if (first.code !== 0) return { killed, cut, problems: [`begin: ${first.code} ${first.stderr}`] }
    for (let i = 0; i < kills; i++) {
      const run = world.start(['-c', ...base, `go on ${i}`], { env })
      if (await killAt(run, 200 + random() * 900)) killed++
    }
    const last = await world.tenon(['-c', ...base, 'go on'], { env })
    if (last.code !== 0) problems.push(`go on: ${last.code} ${last.stderr}`)
    const verify = await world.tenon(['session', 'verify', 'last'])
    if (verify.code !== 0) problems.push(verify.stdout)
    const check = await world.tenon(['session', 'replay', 'last', '--check'])
    if (check.code !== 0) problems.push(check.stdout)
    const ends = await world.tenon(['session', 'events', 'last', '--type', 'run.ended'])
    cut = jsonLines(ends.stdout).filter(({ row }) => row === 'recover').length
    for (const { refused } of server.requests) if (refused !== undefined) problems.push(`refused: ${refused}`)
    if (problems.length > 0) problems.push(`kept for a look: ${keep(world.home)}`)
  } finally {
    await server.close()
    world.clean()
  }
  return { killed, cut, problems }
}

async function killAt({ child, done }: Running, ms: number): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const { code } = await done
  clearTimeout(timer)
  return code === null
}

/** A copy of the home that survives the test. */
function keep(home: string): string {
  const kept = mkdtempSync(join(tmpdir(), 'tenon-crashed-'))
  cpSync(home, kept, { recursive: true })
  return kept
}
