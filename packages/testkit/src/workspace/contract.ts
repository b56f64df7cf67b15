// The contract of the Workspace port: every adapter runs this suite. The test functions come from the caller's runner, so
// that this package loads without one.
import assert from 'node:assert/strict'
import type { FileWrite, Workspace } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import type { ScriptedCommand } from './scripted-process.ts'

export interface WorkspaceWorld {
  /** Its root is empty. */
  readonly workspace: Workspace
  /** Where the file system has links; absent: not tested. */
  readonly links?: {
    symbolic(target: string, path: string): Promise<void>
    hard(target: string, path: string): Promise<void>
  }
  chmod?(path: string, mode: number): Promise<void>
  dispose(): Promise<void>
}

export interface WorkspaceContractOptions {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: () => Promise<void>, timeoutMs?: number) => void
}

/** The commands of the suite, for adapters without real processes. */
export const contractCommands: readonly ScriptedCommand[] = [
  { command: 'echo out; echo err >&2; exit 3', out: 'out\n', err: 'err\n', code: 3 },
  { command: 'sleep 60', hangs: true },
  { command: 'true' },
]

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const facts = { encoding: 'utf-8', eol: 'lf', added: 1, removed: 0 } as const
const fresh = (text: string): FileWrite => ({ bytes: bytesOf(text), expect: null, facts })
const over = (before: string, after: string): FileWrite => ({ bytes: bytesOf(after), expect: bytesOf(before), facts })

async function refuses(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error) => error instanceof TenonError && error.code === code)
}

export function workspaceContract(
  name: string,
  make: () => Promise<WorkspaceWorld>,
  { describe, test }: WorkspaceContractOptions,
): void {
  const check = (title: string, body: (world: WorkspaceWorld) => Promise<void>) =>
    test(title, async () => {
      const world = await make()
      try {
        await body(world)
      } finally {
        await world.dispose()
      }
    })
  describe(`${name} keeps the contract of Workspace: files`, () => checkFiles(check))
  describe(`${name} keeps the contract of Workspace: links and modes`, () => checkLinks(check))
  describe(`${name} keeps the contract of Workspace: processes`, () => checkProcesses(check))
}

type Check = (title: string, body: (world: WorkspaceWorld) => Promise<void>) => void

function checkFiles(check: Check): void {
  check('what was written is read back, whole and by range; folders are made', async ({ workspace }) => {
    const path = `${workspace.root}/a/b/c.txt`
    await workspace.write(path, fresh('hello\n'))
    assert.equal(textOf(await workspace.read(path)), 'hello\n')
    assert.equal(textOf(await workspace.read(path, { offset: 1, length: 3 })), 'ell')
    assert.equal((await workspace.read(path, { offset: 6, length: 10 })).length, 0)
    assert.deepEqual(await workspace.list(`${workspace.root}/a/b`), [{ name: 'c.txt', type: 'file' }])
    const stat = await workspace.stat(path)
    assert.deepEqual([stat?.type, stat?.size, stat?.links], ['file', 6, 1])
    assert.equal((await workspace.stat(`${workspace.root}/a`))?.type, 'folder')
  })

  check('a write whose base is not there any more is refused and changes nothing', async ({ workspace }) => {
    const path = `${workspace.root}/a.txt`
    await refuses(workspace.write(path, over('was', 'new')), 'file_stale')
    assert.equal(await workspace.stat(path), null)
    await workspace.write(path, fresh('one'))
    await refuses(workspace.write(path, fresh('two')), 'file_stale')
    await refuses(workspace.write(path, over('zero', 'two')), 'file_stale')
    assert.equal(textOf(await workspace.read(path)), 'one')
    await workspace.write(path, over('one', 'two'))
    assert.equal(textOf(await workspace.read(path)), 'two')
    assert.deepEqual(await workspace.list(workspace.root), [{ name: 'a.txt', type: 'file' }])
  })

  check('of two writers with one base exactly one wins', async ({ workspace }) => {
    const path = `${workspace.root}/a.txt`
    await workspace.write(path, fresh('base'))
    await workspace.write(path, over('base', 'first'))
    await refuses(workspace.write(path, over('base', 'second')), 'file_stale')
    assert.equal(textOf(await workspace.read(path)), 'first')
  })

  check('what is not there or not a file is refused by code', async ({ workspace }) => {
    await workspace.write(`${workspace.root}/d/f`, fresh(''))
    assert.equal(await workspace.stat(`${workspace.root}/nothing`), null)
    await refuses(workspace.read(`${workspace.root}/nothing`), 'file_missing')
    await refuses(workspace.read(`${workspace.root}/d`), 'not_a_file')
    await refuses(workspace.write(`${workspace.root}/d`, fresh('x')), 'not_a_file')
    await refuses(workspace.list(`${workspace.root}/nothing`), 'file_missing')
    await refuses(workspace.list(`${workspace.root}/d/f`), 'not_a_folder')
  })

  check('a real path exists for what does not', async ({ workspace }) => {
    assert.equal(await workspace.realPath(`${workspace.root}/x/../y/./z`), `${workspace.root}/y/z`)
    assert.equal(await workspace.realPath(workspace.root), workspace.root)
  })
}

function checkLinks(check: Check): void {
  check('a link stays and its target is replaced, dangling ones too', async ({ workspace, links }) => {
    if (!links) return
    const { root } = workspace
    await workspace.write(`${root}/real`, fresh('one'))
    await links.symbolic('real', `${root}/link`)
    await links.symbolic('link', `${root}/chain`)
    assert.equal(await workspace.realPath(`${root}/chain`), `${root}/real`)
    await workspace.write(`${root}/chain`, over('one', 'two'))
    assert.equal(textOf(await workspace.read(`${root}/real`)), 'two')
    await links.symbolic('missing/file', `${root}/dangling`)
    assert.equal(await workspace.realPath(`${root}/dangling`), `${root}/missing/file`)
    await workspace.write(`${root}/dangling`, fresh('new'))
    assert.equal(textOf(await workspace.read(`${root}/missing/file`)), 'new')
    const types = (await workspace.list(root)).map((entry) => `${entry.name} ${entry.type}`)
    assert.deepEqual(types, ['chain link', 'dangling link', 'link link', 'missing folder', 'real file'])
  })

  check('a loop of links is refused', async ({ workspace, links }) => {
    if (!links) return
    await links.symbolic('b', `${workspace.root}/a`)
    await links.symbolic('a', `${workspace.root}/b`)
    await refuses(workspace.realPath(`${workspace.root}/a`), 'path_invalid')
  })

  check('every name of a file shows what was written through one', async ({ workspace, links }) => {
    if (!links) return
    await workspace.write(`${workspace.root}/one`, fresh('a longer text'))
    await links.hard(`${workspace.root}/one`, `${workspace.root}/two`)
    await workspace.write(`${workspace.root}/two`, over('a longer text', 'short'))
    assert.equal(textOf(await workspace.read(`${workspace.root}/one`)), 'short')
    assert.equal((await workspace.stat(`${workspace.root}/one`))?.links, 2)
  })

  check('the mode is kept', async ({ workspace, chmod }) => {
    if (!chmod) return
    for (const mode of [0o755, 0o640, 0o600]) {
      const path = `${workspace.root}/${mode}`
      await workspace.write(path, fresh('x'))
      await chmod(path, mode)
      await workspace.write(path, over('x', 'y'))
      assert.equal((await workspace.stat(path))?.mode, mode)
    }
    await chmod(`${workspace.root}/${0o640}`, 0o444)
    await refuses(workspace.write(`${workspace.root}/${0o640}`, over('y', 'z')), 'read_only')
  })
}

function checkProcesses(check: Check): void {
  const run = async (workspace: Workspace, command: string, joined: boolean) => {
    const process = await workspace.spawn({ argv: ['sh', '-c', command], cwd: workspace.root, joined })
    const got = { out: '', err: '' }
    for await (const { stream, chunk } of process.output) got[stream] += textOf(chunk)
    return { ...got, exit: await process.exit }
  }

  check('both streams and the exit code come back, joined or apart', async ({ workspace }) => {
    const command = 'echo out; echo err >&2; exit 3'
    const exit = { code: 3, signal: null }
    assert.deepEqual(await run(workspace, command, true), { out: 'out\nerr\n', err: '', exit })
    assert.deepEqual(await run(workspace, command, false), { out: 'out\n', err: 'err\n', exit })
  })

  check('a killed process is gone', async ({ workspace }) => {
    const process = await workspace.spawn({ argv: ['sh', '-c', 'sleep 60'], cwd: workspace.root, joined: true })
    await process.kill()
    assert.equal((await process.exit).code, null)
    for await (const _ of process.output);
    assert.deepEqual(await process.sweep(), [])
  })

  check('a process that left nothing behind has nothing to sweep', async ({ workspace }) => {
    const process = await workspace.spawn({ argv: ['sh', '-c', 'true'], cwd: workspace.root, joined: true })
    await process.exit
    assert.deepEqual(await process.sweep(), [])
  })

  check('a program that is not there is refused', async ({ workspace }) => {
    await refuses(
      workspace.spawn({ argv: ['/no/such/program', 'x'], cwd: workspace.root, joined: true }),
      'spawn_failed',
    )
  })
}
