import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createLocalWorkspace } from './local.ts'
import { tempPrefix } from './write.ts'

const root = mkdtempSync(join(tmpdir(), 'tenon-write-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const workspace = createLocalWorkspace(root)
const facts = { encoding: 'utf-8', eol: 'lf', added: 0, removed: 0 } as const

/** Replaces a file of 4 MB by another for ever, in a process that can be killed. */
const writer = (path: string): string => `
  const { createLocalWorkspace } = await import(${JSON.stringify(new URL('./local.ts', import.meta.url).href)})
  const workspace = createLocalWorkspace(${JSON.stringify(root)})
  let before = Buffer.alloc(4 << 20, 'a')
  for (let i = 0; ; i++) {
    const bytes = Buffer.alloc(4 << 20, i % 2 ? 'a' : 'b')
    await workspace.write(${JSON.stringify(path)}, { bytes, expect: before, facts: ${JSON.stringify(facts)} })
    before = bytes
  }`

test('a reader sees only whole old or whole new content, also when the writer is killed', async () => {
  const path = join(root, 'big')
  for (let round = 0; round < 3; round++) {
    writeFileSync(path, Buffer.alloc(4 << 20, 'a'))
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer(path)], { stdio: 'inherit' })
    const until = performance.now() + 500 + round * 37
    while (performance.now() < until) {
      const bytes = readFileSync(path)
      expect(bytes.length).toBe(4 << 20)
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true)
      await delay(5)
    }
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    const bytes = readFileSync(path)
    expect([bytes.length, bytes.every((byte) => byte === bytes[0])]).toEqual([4 << 20, true])
  }
  // What a killed write leaves is recognisable by its name.
  expect(readdirSync(root).filter((name) => name !== 'big' && !name.startsWith(tempPrefix))).toEqual([])
})

test('a new file follows the umask; a refused write leaves no temporary file', async () => {
  const folder = join(root, 'new')
  await workspace.write(join(folder, 'f'), { bytes: Buffer.from('x'), expect: null, facts })
  expect(statSync(join(folder, 'f')).mode & 0o777).toBe(0o666 & ~process.umask())
  await expect(
    workspace.write(join(folder, 'f'), { bytes: Buffer.from('y'), expect: null, facts }),
  ).rejects.toMatchObject({ code: 'file_stale' })
  expect(readdirSync(folder)).toEqual(['f'])
})

test('a full disk is told and the old content stays whole', async () => {
  const path = '/dev/full'
  await expect(workspace.write(path, { bytes: Buffer.from('x'), expect: null, facts })).rejects.toMatchObject({
    code: 'not_a_file',
  })
})

test('a pipe is not read and does not hang', async () => {
  const fifo = await workspace.spawn({ argv: ['mkfifo', join(root, 'fifo')], cwd: root, joined: false })
  await fifo.exit
  expect((await workspace.stat(join(root, 'fifo')))?.type).toBe('other')
  await expect(workspace.read(join(root, 'fifo'))).rejects.toMatchObject({ code: 'not_a_file' })
})

test('links outside are seen as what they are', async () => {
  symlinkSync('/etc', join(root, 'etc'))
  expect(await workspace.realPath(join(root, 'etc/hostname'))).toBe('/etc/hostname')
  expect(await workspace.realPath(join(root, 'etc/../x'))).toBe(join(workspace.root, 'x'))
  expect(await workspace.realPath(join(root, 'etc/none/x'))).toBe('/etc/none/x')
})
