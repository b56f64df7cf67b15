// Packs the release as npm would, installs it into an empty folder and runs the command a user would run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildRelease } from './release.ts'

const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

it('installs from its tarball and answers --version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-release-'))
  const release = await buildRelease(join(folder, 'tenon'))
  const tarball = run(folder, 'npm', 'pack', '--silent', release)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', `./${tarball}`)
  const { version } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'))
  expect(run(folder, 'node_modules/.bin/tenon', '--version')).toBe(version)
  expect(readFileSync(join(folder, 'node_modules/tenon/THIRD-PARTY.md'), 'utf8')).toContain('## zod ')
})
