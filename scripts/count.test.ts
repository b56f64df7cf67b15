// Runs vitest on small broken test files and asserts that nothing which went wrong is left out of the count.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closingLine } from './count.ts'

const script = `
  const { countTests } = await import(process.argv[1])
  const options = { root: process.argv[2], config: false, include: [process.argv[3] + '.case.ts'] }
  console.log('\\n' + JSON.stringify(await countTests([], options)))
  process.exit(0)`

function count(name: string): unknown {
  const file = join(import.meta.dirname, 'count.ts')
  const folder = join(import.meta.dirname, 'fixtures/count')
  const args = ['--input-type=module', '-e', script, file, folder, name]
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe', env })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}

it.each([
  ['mixed', { passed: 1, failed: 1, skipped: 2 }],
  ['import', { passed: 0, failed: 1, skipped: 0 }],
  ['hook', { passed: 0, failed: 1, skipped: 1 }],
  ['unhandled', { passed: 1, failed: 1, skipped: 0 }],
  ['empty', { passed: 0, failed: 1, skipped: 0 }],
  ['*', { passed: 2, failed: 5, skipped: 3 }],
])('counts %s', (name, expected) => {
  expect(count(name)).toEqual(expected)
})

it('writes the closing line that CI reads', () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(closingLine({ passed: 12, failed: 1, skipped: 2 })).toBe('12 passed, 1 failed, 2 skipped')
})
