// npm run check [NAME…]: format and lint, types, arrows, dead code, drift of generated files. Each check is one item of
// the count that CI reads. To add one, add an entry to `checks`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { checkArrows, longFiles } from './arrows.ts'
import type { Count } from './count.ts'
import { closingLine } from './count.ts'
import { findDrift } from './drift.ts'
import { readSources, root } from './source.ts'

type Result = { readonly ok: boolean; readonly output: string }

const checks: Readonly<Record<string, () => Promise<Result>>> = {
  lint: () => run('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'),
  types: () => run('typescript/bin/tsc', '-p', 'tsconfig.json'),
  'types without Node': () => run('typescript/bin/tsc', '-p', 'tsconfig.pure.json'),
  'types without Node, web': () => run('typescript/bin/tsc', '-p', 'tsconfig.web.json'),
  arrows: async () => {
    const sources = readSources()
    const problems = checkArrows(sources)
    return { ok: problems.length === 0, output: [...problems, ...longFiles(sources)].join('\n') }
  },
  'dead code': () => run('knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  drift: async () => {
    const stale = findDrift()
    return { ok: stale.length === 0, output: stale.map((path) => `${path} is stale: npm run generate`).join('\n') }
  },
}

/** Runs the checks whose name starts with one of `names` (all when empty), prints each and returns the count. */
export async function runChecks(names: readonly string[] = []): Promise<Count> {
  const chosen = Object.entries(checks).filter(([name]) => !names.length || names.some((word) => name.startsWith(word)))
  const results = await Promise.all(
    chosen.map(async ([name, check]) => {
      const { ok, output } = await check().catch((error: unknown) => ({ ok: false, output: String(error) }))
      process.stdout.write(`${ok ? '✓' : '✗'} ${name}\n${output.trim() ? `${output.trimEnd()}\n` : ''}`)
      return ok
    }),
  )
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed, skipped: 0 }
}

function run(tool: string, ...args: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: String(error) }))
    child.on('close', (code) => resolve({ ok: code === 0, output: code === 0 ? '' : output }))
  })
}

if (import.meta.main) {
  const count = await runChecks(process.argv.slice(2))
  console.log(closingLine(count))
  process.exitCode = count.failed || !count.passed ? 1 : 0
}
