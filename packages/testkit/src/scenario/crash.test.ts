// I: every golden log is cut after each of its groups, on the memory log; two of them inside each line, on the file log.
import { createFileLog, systemClock } from '@tenon/host'
import { coreTools } from '@tenon/tools'
import { expect, test } from 'vitest'
import { cutInsideLines } from './byte-cuts.ts'
import { goOn, logOf } from './cut.ts'
import { loadScenario, scenarioNames } from './load.ts'
import { playScenario } from './play.ts'

const ports = {
  tools: coreTools,
  clock: systemClock,
  openLog: (dir: string) => createFileLog({ session: 'ses_stage', dir, sync: false }),
}

test.each(scenarioNames())('I: %s, cut after each group, goes on', async (name) => {
  const story = loadScenario(name)
  const { groups } = await playScenario(story, { tools: coreTools })
  const problems: string[] = []
  for (let n = 1; n <= groups.length; n++) {
    const kept = groups.slice(0, n)
    const found = await goOn(story, await logOf(kept), kept.flat(), { tools: coreTools })
    problems.push(...found.map((problem) => `after group ${n}: ${problem}`))
  }
  expect(problems).toEqual([])
})

test.each(['hello', 'failing-beside-ok'])(
  'I: %s, cut at four points of each line of its file, goes on',
  { timeout: 60_000 },
  async (name) => {
    expect(await cutInsideLines(name, ports)).toEqual([])
  },
)
