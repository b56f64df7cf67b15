// Crash-everywhere inside lines: a story's log as a file is cut at four points of each line, opened and gone on with.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Group, Log, Tool } from '@tenon/core'
import { goOn } from './cut.ts'
import { loadScenario } from './load.ts'
import { playScenario } from './play.ts'

export interface ByteCutOptions {
  readonly tools: readonly Tool[]
  readonly openLog: (dir: string) => Log
  readonly clock: Clock
}

/** @returns what went wrong, each with the line and the bytes that were left of it */
export async function cutInsideLines(name: string, { tools, openLog, clock }: ByteCutOptions): Promise<string[]> {
  const story = loadScenario(name)
  const { groups } = await playScenario(story, { tools })
  const base = mkdtempSync(join(tmpdir(), 'tenon-cuts-'))
  try {
    const { file, lines } = await store(openLog, join(base, 'whole'), groups)
    const time = { processClock: () => clock, settle: () => sleep(0), advance: () => sleep(1).then(() => true) }
    const problems: string[] = []
    // The first line is the header of the segment.
    for (let i = 1; i < lines.length; i++) {
      const line = lines[i] ?? Buffer.alloc(0)
      for (const left of new Set([0, 1, Math.floor(line.length / 2), line.length - 1])) {
        const dir = join(base, `${i}-${left}`)
        mkdirSync(dir)
        writeFileSync(join(dir, file), Buffer.concat([...lines.slice(0, i), line.subarray(0, left)]))
        const log = openLog(dir)
        const kept = groups.slice(0, i - 1).flat()
        const found = i === 1 ? await startsEmpty(log) : await goOn(story, log, kept, { tools, time })
        problems.push(...found.map((problem) => `line ${i + 1}, ${left} of ${line.length} bytes: ${problem}`))
        await log.close()
        rmSync(dir, { recursive: true })
      }
    }
    return problems
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** The one segment file that these groups make, line by line, each with its LF. */
async function store(openLog: (dir: string) => Log, dir: string, groups: readonly Group[]) {
  const log = openLog(dir)
  const lease = await log.claim({})
  for (const group of groups) await lease.append(group)
  await lease.release()
  await log.close()
  const [file = '', ...more] = readdirSync(dir).filter((found) => found.endsWith('.jsonl'))
  if (more.length > 0) throw new Error(`more than one segment: ${more.join()}`)
  const text = readFileSync(join(dir, file), 'utf8')
  const lines = text.split('\n').slice(0, -1)
  if (lines.length !== groups.length + 1) throw new Error(`${lines.length} lines for ${groups.length} groups`)
  return { file, lines: lines.map((line) => Buffer.from(`${line}\n`)) }
}

/** Nothing was acknowledged: the log is whole and empty, and can be claimed. */
async function startsEmpty(log: Log): Promise<readonly string[]> {
  const { contents, release } = await log.claim({})
  await release()
  return contents.whole && contents.groups.length === 0 ? [] : ['not an empty log']
}
