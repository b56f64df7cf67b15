import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createContextSource, findRoot } from './context.ts'

const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'tenon-context-')))
const write = (path: string, text: string | Uint8Array) => {
  mkdirSync(join(base, path, '..'), { recursive: true })
  writeFileSync(join(base, path), text)
}
const blocks = (cwd: string, config = 'config') =>
  createContextSource({ config: join(base, config) }).blocks({ cwd: join(base, cwd), model: 'demo' })

test('the environment, then instructions: the user’s own, then from the root down', async () => {
  write('config/AGENTS.md', 'mine')
  write('repo/.git/HEAD', '')
  write('repo/AGENTS.md', 'root\n')
  write('repo/CLAUDE.md', 'not read beside AGENTS.md')
  write('repo/a/CLAUDE.md', 'inner')
  write('repo/a/b/file', '')
  const found = await blocks('repo/a/b')
  expect(found.map(({ id, text }) => [id.replace(base, ''), text.split('\n').at(-1)])).toEqual([
    ['environment', `- Git repository: yes, root ${join(base, 'repo')}`],
    [`instructions:${base}/config/AGENTS.md`.replace(base, ''), 'mine'],
    [`instructions:${base}/repo/AGENTS.md`.replace(base, ''), 'root'],
    [`instructions:${base}/repo/a/CLAUDE.md`.replace(base, ''), 'inner'],
  ])
  expect(found[3]?.text).toContain(`Instructions from ${base}/repo/a/CLAUDE.md`)
  expect(await findRoot(join(base, 'repo/a/b'))).toBe(join(base, 'repo'))
})

test('outside a repository only the folder itself is looked at; the blocks are the same each time', async () => {
  write('plain/AGENTS.md', 'not this')
  write('plain/deep/AGENTS.md', 'this')
  const found = await blocks('plain/deep', 'none')
  expect(found.map(({ text }) => text).join()).not.toContain('not this')
  expect(found).toHaveLength(2)
  expect(await blocks('plain/deep', 'none')).toEqual(found)
})

test('a long file is cut at 32 KiB, and says so; an empty one and a folder of that name are nothing', async () => {
  write('long/AGENTS.md', `${'ä'.repeat(20_000)}`)
  write('empty/AGENTS.md', ' \n')
  mkdirSync(join(base, 'folder/AGENTS.md'), { recursive: true })
  const [, block] = await blocks('long', 'none')
  expect(block?.text).toMatch(/ä\n\n\[cut: the file has 40000 bytes; read it for the rest\]$/)
  expect(block?.text).not.toContain('\ufffd')
  expect(await blocks('empty', 'none')).toHaveLength(1)
  expect(await blocks('folder', 'none')).toHaveLength(1)
})

test('a pipe in place of an instruction file is not waited for, and a link out of the folder is not followed', async () => {
  write('hostile/.git/HEAD', '')
  write('outside.md', 'a secret of somebody else')
  write('hostile/docs/house.md', 'rules of the house')
  symlinkSync(join(base, 'outside.md'), join(base, 'hostile/AGENTS.md'))
  execFileSync('bash', ['-c', 'mkfifo "$0"', join(base, 'hostile/CLAUDE.md')])
  mkdirSync(join(base, 'hostile/a'))
  symlinkSync('../hostile/docs/house.md', join(base, 'hostile/linked.md'))
  expect((await blocks('hostile', 'none')).map(({ id }) => id)).toEqual(['environment'])
})
