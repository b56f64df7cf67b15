// The demo's scratch project in a fresh folder, under git where git exists, so that its change can be shown as a diff.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { demoFix, demoProject } from '@tenon/models'

export interface Scratch {
  readonly folder: string
  /** What has changed since the folder was made, as a diff. */
  diff(): string
}

export function makeScratch(): Scratch {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tenon-demo-')))
  for (const [path, text] of Object.entries(demoProject)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const underGit = git(folder, 'init', '--quiet') !== undefined
  if (underGit) {
    git(folder, 'add', '.')
    git(
      folder,
      '-c',
      'user.name=Tenon demo',
      '-c',
      'user.email=demo@localhost',
      'commit',
      '--quiet',
      '-m',
      'The project as it was',
    )
  }
  const { path, before, after } = demoFix
  const known = `--- ${path}\n+++ ${path}\n-${before}\n+${after}\n`
  return {
    folder,
    diff: () => (underGit ? git(folder, '--no-pager', 'diff', '--no-color', '--no-ext-diff') : undefined) ?? known,
  }
}

/** Standard output, or `undefined` when git is not there or fails. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
