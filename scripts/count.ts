// The closing line that CI counts, and how a vitest run is counted: what did not load has failed.
import { type CliOptions, startVitest, type TestModule } from 'vitest/node'

export type Count = { readonly passed: number; readonly failed: number; readonly skipped: number }

export const none: Count = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** `12 passed, 0 failed`, with `, 1 skipped` when there is one. */
export const closingLine = ({ passed, failed, skipped }: Count): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** Runs vitest once and counts. What did not load, an error outside any test and a run cut short count as failed. */
export async function countTests(filters: string[], options: CliOptions): Promise<Count> {
  let count: Count = { ...none, failed: 1 }
  const counter = {
    onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[], reason: string) {
      const unseen = unhandled.length + (reason === 'interrupted' ? 1 : 0)
      count = modules.map(countModule).reduce(add, { ...none, failed: unseen })
    },
  }
  const vitest = await startVitest(filters, { ...options, run: true, watch: false, reporters: ['default', counter] })
  await vitest.close()
  return count
}

/** A file that failed without a failed test (import error, hook, empty suite) is one failure. */
function countModule(module: TestModule): Count {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const tally = (state: string) => states.filter((found) => found === state).length
  const failed = tally('failed') || (module.state() === 'failed' ? 1 : 0)
  return { passed: tally('passed'), failed, skipped: states.length - tally('passed') - tally('failed') }
}
