// I: every golden log, cut at four points of each line of its file.
import { createFileLog, systemClock } from '@tenon/host'
import { coreTools } from '@tenon/tools'
import { expect, test } from 'vitest'
import { cutInsideLines } from './byte-cuts.ts'
import { scenarioNames } from './load.ts'

const ports = {
  tools: coreTools,
  clock: systemClock,
  openLog: (dir: string) => createFileLog({ session: 'ses_stage', dir, sync: false }),
}

test.each(scenarioNames())('I: %s, cut at four points of each line of its file, goes on', async (name) => {
  expect(await cutInsideLines(name, ports)).toEqual([])
})
