import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { findFamily, isAlive } from './descendants.ts'
import { createLocalWorkspace } from './local.ts'

const root = mkdtempSync(join(tmpdir(), 'tenon-spawn-'))
const scratch = mkdtempSync(join(tmpdir(), 'tenon-scratch-'))
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  rmSync(scratch, { recursive: true, force: true })
})
const workspace = createLocalWorkspace(root, { scratch })

const shell = (command: string, joined = true) => workspace.spawn({ argv: ['bash', '-c', command], cwd: root, joined })

async function textOf(process: Awaited<ReturnType<typeof shell>>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const { chunk } of process.output) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('output', () => {
  test('ends 100 ms after exit although a grandchild keeps the pipe', async () => {
    const process = await shell('sleep 4411 & echo done')
    const started = performance.now()
    expect(await textOf(process)).toBe('done\n')
    expect(performance.now() - started).toBeLessThan(1500)
    expect((await process.sweep()).length).toBe(1)
    expect(await process.sweep()).toEqual([])
  })

  test('a reader that is slow loses nothing and holds the process back', async () => {
    const process = await shell('head -c 3000000 /dev/zero; echo end')
    await delay(400)
    // Nobody has read: the process waits in its write.
    expect(isAlive(process.pid)).toBe(true)
    let size = 0
    for await (const { chunk } of process.output) {
      size += chunk.length
      if (size < 600_000) await delay(5)
    }
    expect(size).toBe(3_000_004)
  })

  test('a slow reader still gets what was written before the exit', async () => {
    const process = await shell('head -c 300000 /dev/zero; echo end')
    await delay(700)
    expect((await textOf(process)).length).toBe(300_004)
  })

  test('a grandchild that floods after the exit does not keep it open', async () => {
    const process = await shell('yes & echo done')
    const started = performance.now()
    await textOf(process)
    expect(performance.now() - started).toBeLessThan(3000)
    await process.sweep()
    expect(findFamily({ group: process.pid, mark: 'none' })).toEqual([])
  })

  test('no pipe keeps its name', async () => {
    await Promise.all(Array.from({ length: 5 }, async () => textOf(await shell('echo x'))))
    expect(readdirSync(scratch)).toEqual([])
  })

  test('standard input is what was given, then its end', async () => {
    const process = await workspace.spawn({ argv: ['cat'], cwd: root, joined: false, stdin: Buffer.from('given') })
    expect(await textOf(process)).toBe('given')
  })
})

describe('kill', () => {
  test('ends a group that ignores gentle signals, and daemons by their mark', async () => {
    const process = await shell('trap "" INT TERM; setsid setsid sleep 4412 & sleep 4412; sleep 4412')
    await delay(200)
    const started = performance.now()
    await process.kill()
    expect(performance.now() - started).toBeLessThan(6500)
    expect(await process.exit).toEqual({ code: null, signal: 'SIGKILL' })
    expect(findFamily({ group: process.pid, mark: 'none' })).toEqual([])
    expect(await process.sweep()).toEqual([])
  })

  test('a port is free again', async () => {
    const serve =
      'python3 -c "import socket,time; s=socket.socket(); s.setsockopt(1,2,1); s.bind((\'127.0.0.1\',0)); s.listen(); print(s.getsockname()[1],flush=True); time.sleep(60)"'
    const process = await shell(`setsid ${serve} & wait`)
    let port = ''
    for await (const { chunk } of process.output) {
      port = Buffer.from(chunk).toString().trim()
      break
    }
    await process.kill()
    const again = await shell(
      `python3 -c "import socket; s=socket.socket(); s.setsockopt(1,2,1); s.bind(('127.0.0.1',${port})); print('free')"`,
    )
    expect(await textOf(again)).toBe('free\n')
  })
})

test('a nested owner keeps the outer mark, so that the outer one finds what the inner starts', async () => {
  const inner = createLocalWorkspace(root, { env: { ...process.env, TENON_JOB: 'outer' } })
  const started = await inner.spawn({ argv: ['bash', '-c', 'echo $TENON_JOB'], cwd: root, joined: true })
  expect(await textOf(started)).toMatch(/^outer:[0-9a-f]{18}\n$/)
})

test.each([
  ['a program that is not there', ['no-such-program'], root, 'no-such-program'],
  ['a folder that is not there', ['true'], '/no/such/folder', 'the folder /no/such/folder is not there'],
  ['too many arguments', ['echo', 'x'.repeat(200_000)], root, 'E2BIG'],
])('%s is refused', async (_, argv, cwd, why) => {
  await expect(workspace.spawn({ argv: argv as [string], cwd, joined: true })).rejects.toMatchObject({
    code: 'spawn_failed',
    message: expect.stringContaining(why),
  })
})
