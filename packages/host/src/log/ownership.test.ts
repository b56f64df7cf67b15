// Who may take a session over, and when: dead owners at once, living ones never by time, frozen ones only on purpose.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logGroup } from '@tenon/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nodeDisk } from './disk/node-disk.ts'
import { createFileLog } from './file-log.ts'
import { ownFacts } from './owner.ts'
import { startAppender } from './testing/appender-process.ts'
import type { FileWorld } from './testing/file-world.ts'
import { createFileWorld } from './testing/file-world.ts'

let world: FileWorld
beforeEach(async () => {
  world = await createFileWorld()
})
afterEach(() => world.dispose())

const leaseFile = () => join(world.dir, 'session', 'lease.json')
const readLease = async () => JSON.parse(await readFile(leaseFile(), 'utf8'))

const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, { stdio: 'ignore' })

/** A log with a lease file that says so; the process that wrote it was this one. */
async function leaveLease(changes: Record<string, unknown>): Promise<void> {
  await world.open().claim({ url: 'http://127.0.0.1:9/' })
  await writeFile(leaseFile(), JSON.stringify({ ...(await readLease()), ...changes }))
}

test('the lease file names token, process, boot, host and url', async () => {
  await world.open().claim({ url: 'http://127.0.0.1:9/' })
  const own = ownFacts()
  expect(own.pidStart).toBeGreaterThan(0)
  expect(await readLease()).toEqual({
    ...own,
    token: 1,
    owner: expect.any(String),
    renewal: 0,
    renewedAt: expect.any(Number),
    url: 'http://127.0.0.1:9/',
  })
})

describe('an owner on this machine', () => {
  test.each([
    ['whose pid is free', { pid: 2 ** 22 + 1 }],
    ['whose pid belongs to a later process', { pidStart: 1 }],
    ['of an earlier boot', { boot: 'earlier/pid:[1]' }],
  ])('%s is dead: the session is taken at once', async (_name, changes) => {
    await leaveLease(changes)
    expect((await world.open().owner())?.alive).toBe(false)
    expect((await world.open().claim({})).token).toBe(2)
  })

  test('that lives keeps the session whatever the clock says', async () => {
    await leaveLease({ renewedAt: 0 })
    await expect(world.open().claim({})).rejects.toMatchObject({
      code: 'session_in_use',
      facts: { pid: process.pid, url: 'http://127.0.0.1:9/', renewedAt: 0, alive: true },
    })
  })

  test('whose lease file is broken or gone does not stand in the way', async () => {
    for (const text of ['', '{"token":']) {
      await world.open().claim({ takeOver: true })
      await writeFile(leaseFile(), text)
      await world.open().claim({})
    }
  })
})

describe('an owner on another host', () => {
  /** Waits end at once and are counted; `onPause` may act as the other host. */
  const openElsewhere = (onPause: (count: number) => Promise<void>) => {
    let pauses = 0
    const pause = async () => onPause(++pauses)
    const log = createFileLog({ session: 'ses_test', dir: join(world.dir, 'session'), disk: { ...nodeDisk, pause } })
    return { log, pauses: () => pauses }
  }

  test('that does not renew for 30 s of our own waiting is dead', async () => {
    await leaveLease({ host: 'elsewhere' })
    const { log, pauses } = openElsewhere(async () => undefined)
    expect((await log.claim({})).token).toBe(2)
    expect(pauses()).toBe(30)
  })

  test('that renews lives', async () => {
    await leaveLease({ host: 'elsewhere' })
    const { log, pauses } = openElsewhere(async (count) => {
      if (count === 8) await writeFile(leaseFile(), JSON.stringify({ ...(await readLease()), renewal: 1 }))
    })
    await expect(log.claim({})).rejects.toMatchObject({ code: 'session_in_use', facts: { host: 'elsewhere' } })
    expect(pauses()).toBe(8)
  })
})

test('two claims of one moment: one owns, the other learns who', async () => {
  for (let round = 0; round < 20; round++) {
    const logs = [world.open(), world.open(), world.open()]
    const claims = await Promise.allSettled(logs.map((log) => log.claim({})))
    expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const claim of claims)
      if (claim.status === 'rejected')
        expect(claim.reason).toMatchObject({ code: 'session_in_use', facts: { pid: process.pid } })
    await Promise.all(logs.map((log) => log.close()))
  }
})

test('an idle owner learns of a take-over with its next renewal', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const lease = await world.open().claim({})
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(async () => expect(await readLease()).toMatchObject({ renewal: 1 }))
    const taken = await world.open().claim({ takeOver: true })
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(lease.lost.aborted).toBe(true))
    expect(await readLease()).toMatchObject({ token: taken.token })
  } finally {
    vi.useRealTimers()
  }
})

describe('a frozen owner', () => {
  test('keeps the session until it is taken over; when it wakes, nothing it writes is read and it says so', async () => {
    const frozen = startAppender(join(world.dir, 'session'), 'f')
    try {
      await frozen.printed('ack')
      frozen.signal('SIGSTOP')
      const log = world.open()
      const asked = performance.now()
      await expect(log.claim({})).rejects.toMatchObject({
        code: 'session_in_use',
        facts: { pid: frozen.pid, alive: true },
      })
      expect(performance.now() - asked).toBeLessThan(1000)

      const lease = await log.claim({ takeOver: true })
      const next = (lease.contents.groups.at(-1)?.at(-1)?.seq ?? -1) + 1
      await lease.append(logGroup(next, 3, 'n'))
      frozen.signal('SIGCONT')
      expect(await frozen.printed('lost')).toBe('lease_lost')
      await lease.append(logGroup(next + 3, 1, 'n'))

      const events = (await world.open().read()).groups.flat()
      expect(events.slice(next).map(({ id }) => id)).toEqual(logGroup(next, 4, 'n').map(({ id }) => id))
      for (const [seq, count] of frozen.acknowledged())
        expect(events.slice(seq, seq + count).map(({ id }) => id)).toEqual(
          logGroup(seq, count, 'f').map(({ id }) => id),
        )
    } finally {
      frozen.signal('SIGKILL')
      await frozen.ended()
    }
  })
})

describe('a small file system', () => {
  test('that runs full: everything acknowledged is read, and space made lets the owner go on', async ({ skip }) => {
    const dir = join(world.dir, 'small')
    await nodeDisk.makeDir(dir)
    try {
      run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir)
    } catch {
      skip('no right to mount a file system')
    }
    try {
      const open = () => createFileLog({ session: 'ses_test', dir: join(dir, 'session') })
      await writeFile(join(dir, 'ballast'), Buffer.alloc(400_000))
      const lease = await open().claim({})
      let next = 0
      const fill = async () => {
        for (;;) await lease.append(logGroup(next, 50)).then(() => (next += 50))
      }
      await expect(fill()).rejects.toMatchObject({ code: 'storage_full' })
      expect((await open().read()).groups.flat().filter(({ seq }) => seq < next)).toHaveLength(next)
      expect(next).toBeGreaterThan(0)
      await nodeDisk.remove(join(dir, 'ballast'))
      await lease.append(logGroup(next, 50))
      expect((await open().read()).groups.flat()).toEqual(logGroup(0, next + 50))
      await lease.release()
    } finally {
      run('umount', '-l', dir)
    }
  })
})
