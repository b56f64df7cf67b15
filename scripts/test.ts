// npm test: every check, then every test. npm run test:full: the long campaigns (*.full.test.ts). Ends with the line
// `N passed, N failed`; anything that failed, did not load or was cut short makes the exit code 1.
import { runChecks } from './check.ts'
import { add, type Count, closingLine, countTests, none } from './count.ts'
import { root } from './source.ts'

const full = process.argv[2] === 'full'
const filters = process.argv.slice(full ? 3 : 2)
const checks = full ? none : await runChecks()
const tests = await countTests(filters, { root, mode: full ? 'full' : 'test' }).catch((error: unknown): Count => {
  console.error(error)
  return { ...none, failed: 1 }
})
const total = add(checks, tests)
console.log(closingLine(total))
process.exit(total.failed || !total.passed ? 1 : 0)
