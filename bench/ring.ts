// Figures of the ring: cost of fold, next and view per event as the history grows, and memory of a long log once opened.
// Run: node scripts/node.cjs bench/ring.ts
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendGroup, next } from '@tenon/core'
import { createFileLog } from '@tenon/host'
import { createFold, emptyRun, requestHash } from '@tenon/projections'
import type { Event } from '@tenon/protocol'
import { appendTurn, createStamps, openDrafts, sha256 } from './long-log.ts'

const microseconds = (ms: number, count: number): string => `${((1000 * ms) / count).toFixed(2)} µs`

/** Folds a long log event by event and times windows of it. */
function costs(total: number): void {
  const stamps = createStamps()
  const events: Event[] = []
  const opened = appendGroup(emptyRun, openDrafts, stamps)
  let { state } = opened
  events.push(...opened.events)
  for (let n = 0; events.length < total; n++) {
    state = appendTurn(state, n, 200, stamps, ({ events: more }) => events.push(...more))
  }
  const fold = createFold(sha256)
  let folded = emptyRun
  const window = 5_000
  for (let from = 0; from < total; from += window) {
    const slice = events.slice(from, from + window)
    const before = performance.now()
    const states = slice.map((event) => {
      folded = fold(folded, event)
      return folded
    })
    const between = performance.now()
    for (const one of states) next(one, { now: 0, answerer: 'none', hash: sha256, version: '0' })
    const after = performance.now()
    for (const { branch } of states) requestHash(branch.set?.hash ?? '', branch.view, 'auto', sha256)
    const end = performance.now()
    if ([0, 5_000, 10_000, 50_000, total - window].includes(from)) {
      console.log(
        `${String(from).padStart(7)}  fold ${microseconds(between - before, slice.length)}  next ${microseconds(after - between, slice.length)}  view hash ${microseconds(end - after, slice.length)}`,
      )
    }
  }
}

/** Writes a log of about `megabytes` and prints what a fresh process holds once it has opened it. */
async function memory(megabytes: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'tenon-ring-'))
  try {
    for (const size of [0, megabytes]) {
      const folder = join(dir, String(size))
      const log = createFileLog({ session: 'ses_bench', dir: folder, sync: false })
      const lease = await log.claim({})
      const stamps = createStamps()
      const opened = appendGroup(emptyRun, openDrafts, stamps)
      let written = lease.append(opened.events)
      let state = opened.state
      for (let n = 0, bytes = 0; bytes < size * 1e6; n++) {
        state = appendTurn(state, n, 4_000, stamps, ({ events }) => {
          bytes += JSON.stringify(events).length
          written = lease.append(events)
        })
        if (n % 100 === 0) await written
      }
      await written
      await lease.release()
      await log.close()
      for (const flags of [[], ['--max-semi-space-size=4']]) {
        const args = ['--expose-gc', ...flags, join(import.meta.dirname, 'open-log.ts'), folder]
        const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
        console.log(`${size} MB ${flags.join(' ') || 'as Node comes'}: ${child.stdout.trim()} ${child.stderr.trim()}`)
      }
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

costs(Number(process.argv[2] ?? 100_000))
await memory(50)
