// The two launchers, as a shell sees them: exit codes, signals, the answer without a runtime.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './source.ts'

const launcher = join(root, 'packages/cli/bin/tenon.cjs')
const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root })

it('passes the exit code and the pinned runtime on', () => {
  const script = 'console.log(process.version, process.env.PATH.split(":")[0]); process.exitCode = 7'
  const { status, stdout } = node('scripts/node.cjs', '-e', script)
  expect(status).toBe(7)
  expect(stdout).toMatch(/^v24\.22\.3 .*node-linux-\w+\/bin\n$/)
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s to the child and gives its exit code', async (signal) => {
  const script = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000); console.log('up')`
  expect(await killed(script, signal)).toBe(9)
})

it('gives 128+n when a signal killed the child', async () => {
  const script = "setInterval(() => {}, 1000); console.log('up')"
  expect(await killed(script, 'SIGTERM')).toBe(143)
  expect(await killed(script, 'SIGINT')).toBe(130)
})

it.each(['--version', '-V', 'version'])('answers %s with nothing else loaded', (flag) => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
  const { stdout, status } = node(launcher, flag)
  expect([stdout, status]).toEqual([`${version}\n`, 0])
})

it('says what to install where this Node is too old and no other is at hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-launcher-'))
  cpSync(join(root, 'packages/cli/bin'), folder, { recursive: true })
  const preload = join(folder, 'old.cjs')
  writeFileSync(preload, "Object.defineProperty(process, 'versions', { value: { node: '22.18.0' } })")
  const { stderr, status } = node('-r', preload, join(folder, 'tenon.cjs'), 'doctor')
  expect([stderr, status]).toEqual([expect.stringMatching(/^tenon needs Node 22.19 or newer; this is v24/), 1])
})

function killed(script: string, signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, ['scripts/node.cjs', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.once('data', () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', resolve))
}
