// Stories are the spec: each is played and compared with its golden log and its final files. TENON_UPDATE_GOLDENS=1 writes
// them anew; the change is then read as a diff.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalWorkspace, systemClock } from '@tenon/host'
import { coreTools } from '@tenon/tools'
import { describe, expect, test } from 'vitest'
import { logProblems } from '../sim/oracle.ts'
import { toFiles, toGolden } from './golden.ts'
import { loadScenario, scenarioFolder, scenarioNames } from './load.ts'
import { playScenario } from './play.ts'
import type { Time } from './stage.ts'

const update = process.env.TENON_UPDATE_GOLDENS === '1'

function compare(name: string, file: string, found: string): void {
  const path = join(scenarioFolder, name, file)
  if (update) writeFileSync(path, found)
  // Never written by a plain run: a story without its golden has not been read by anybody.
  expect(existsSync(path), `${path} is missing: run with TENON_UPDATE_GOLDENS=1 and read it`).toBe(true)
  expect(found).toBe(readFileSync(path, 'utf8'))
}

describe.each(scenarioNames())('%s', (name) => {
  const story = loadScenario(name)

  test(story.title, async () => {
    const { stage, groups, files } = await playScenario(story, { tools: coreTools })
    expect(logProblems(groups.flat(), stage.session.state())).toEqual([])
    expect([stage.model.waiting, stage.model.left]).toEqual([0, 0])
    compare(name, 'golden.jsonl', toGolden(groups, { root: files.root }))
    compare(name, 'files.json', `${JSON.stringify(toFiles(files.files, files.root), null, 2)}\n`)
  })
})

/** The machine's own time: nobody can let it pass faster. */
const realTime: Time = {
  processClock: () => systemClock,
  settle: () => sleep(2),
  advance: async () => {
    await sleep(5)
    return true
  },
}

describe('on real files and processes', () => {
  test.each(['fix-a-test', 'failing-beside-ok'])('%s leads to the same log and the same files', async (name) => {
    const story = loadScenario(name)
    const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'tenon-story-')))
    try {
      for (const [path, text] of Object.entries(story.files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      const workspace = createLocalWorkspace(root)
      const real = await playScenario(story, { tools: coreTools, workspace, time: realTime })
      const doubled = await playScenario(story, { tools: coreTools })
      expect(toGolden(real.groups, { root, real: true })).toBe(
        toGolden(doubled.groups, { root: doubled.files.root, real: true }),
      )
      const expected = toFiles(doubled.files.files, doubled.files.root)
      const found = Object.keys(expected).map((path) => [path, readFileSync(join(root, path), 'utf8')])
      expect(Object.fromEntries(found)).toEqual(expected)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
