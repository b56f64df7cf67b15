// The writer on a disk that fails, is full, read-only, or slow to sync.
import { appendFile, chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logGroup } from '@tenon/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AppendFile, Disk } from './disk/disk.ts'
import { nodeDisk } from './disk/node-disk.ts'
import { ensureReserve } from './disk/reserve.ts'
import { createFileLog } from './file-log.ts'
import { makeTestDir } from './testing/file-world.ts'

let dir: string
beforeEach(async () => {
  dir = await makeTestDir()
})
afterEach(() => nodeDisk.remove(dir))

interface Faults {
  /** Called before a write or sync of a segment; what it throws fails the call after `part` bytes were written. */
  readonly write?: (bytes: Uint8Array) => void
  readonly sync?: () => void
  readonly part?: number
}

/** The real disk, with faults in segment files. */
function faulty({ write, sync, part = 0 }: Faults): Disk {
  const wrap = (path: string, file: AppendFile): AppendFile => {
    if (!path.endsWith('.jsonl')) return file
    return {
      ...file,
      async write(bytes) {
        try {
          write?.(bytes)
        } catch (error) {
          await file.write(bytes.subarray(0, part))
          throw error
        }
        await file.write(bytes)
      },
      async sync() {
        sync?.()
        await file.sync()
      },
    }
  }
  return {
    ...nodeDisk,
    create: async (path) => wrap(path, await nodeDisk.create(path)),
    append: async (path) => wrap(path, await nodeDisk.append(path)),
    pause: async () => undefined,
  }
}

const systemError = (code: string) => Object.assign(new Error(code), { code })
/** Throws `code` on the given calls, counted from 1; the header's is the first. */
const failing = (code: string, ...calls: readonly number[]) => {
  let count = 0
  return () => {
    if (calls.includes(++count)) throw systemError(code)
  }
}
const open = (disk: Disk, reserve?: string) =>
  createFileLog({ session: 'ses_test', dir: join(dir, 's'), disk, ...(reserve === undefined ? {} : { reserve }) })
const read = async () => (await open(nodeDisk).read()).groups
const text = () => readFile(join(dir, 's', '0001.jsonl'), 'utf8')

describe('group commit', () => {
  test('appends of one moment share one write and one sync; those of a sync under way share the next', async () => {
    let writes = 0
    let syncs = 0
    const log = open(faulty({ write: () => writes++, sync: () => syncs++ }))
    const lease = await log.claim({})
    ;[writes, syncs] = [0, 0]
    const first = Array.from({ length: 50 }, (_, seq) => lease.append(logGroup(seq, 1)))
    await Promise.race(first)
    await Promise.all(Array.from({ length: 50 }, (_, i) => lease.append(logGroup(50 + i, 1))))
    expect([writes, syncs]).toEqual([2, 2])
  })

  test('without sync nothing waits for the device', async () => {
    let syncs = 0
    const disk = faulty({ sync: () => syncs++ })
    const log = createFileLog({ session: 'ses_test', dir: join(dir, 's'), disk, sync: false })
    await (await log.claim({})).append(logGroup(0, 1))
    expect([syncs, await read()]).toEqual([0, [logGroup(0, 1)]])
  })

  test('files are for their owner alone', async () => {
    await (await open(nodeDisk).claim({})).append(logGroup(0, 1))
    const modes = await Promise.all(
      ['', '0001.jsonl', 'lease.json'].map(async (name) => (await stat(join(dir, 's', name))).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])
  })
})

describe('a failed sync', () => {
  test('the same lines are written again, and every reader shows them once', async () => {
    const lease = await open(faulty({ sync: failing('EIO', 2, 3) })).claim({})
    await lease.append(logGroup(0, 2))
    await lease.append(logGroup(2, 1))
    expect(await read()).toEqual([logGroup(0, 2), logGroup(2, 1)])
    expect((await text()).split('"text of 1"')).toHaveLength(4)
  })

  test('half a line left by a failed write does not spoil the next', async () => {
    const lease = await open(faulty({ write: failing('EIO', 2, 3), part: 40 })).claim({})
    await lease.append(logGroup(0, 2))
    const contents = await open(nodeDisk).read()
    expect([contents.groups, contents.whole]).toEqual([[logGroup(0, 2)], true])
  })

  test('after four failures the append is refused, with all that waited; the same group may come again, no other', async () => {
    const lease = await open(faulty({ sync: failing('EIO', 2, 3, 4, 5) })).claim({})
    const refused = [logGroup(0, 1), logGroup(1, 1)].map((group) => lease.append(group))
    for (const append of refused) await expect(append).rejects.toMatchObject({ code: 'storage_failed' })
    await expect(lease.append(logGroup(0, 1, 'other'))).rejects.toThrow(/must repeat it/)
    await lease.append(logGroup(0, 1))
    await lease.append(logGroup(1, 1))
    expect(await read()).toEqual([logGroup(0, 1), logGroup(1, 1)])
    expect(lease.lost.aborted).toBe(false)
  })

  test('a refused append that left no whole line may be replaced by another', async () => {
    const lease = await open(faulty({ write: failing('EIO', 2, 3, 4, 5), part: 30 })).claim({})
    await expect(lease.append(logGroup(0, 1))).rejects.toMatchObject({ code: 'storage_failed' })
    await lease.append(logGroup(0, 2, 'other'))
    expect(await read()).toEqual([logGroup(0, 2, 'other')])
  })
})

describe('a full disk', () => {
  test('the reserve is given up, then the append succeeds; without a reserve it is storage_full with path and bytes', async () => {
    const reserve = join(dir, 'reserve')
    await ensureReserve(nodeDisk, reserve)
    expect((await stat(reserve)).size).toBe(1 << 20)
    const lease = await open(faulty({ write: failing('ENOSPC', 2, 4), part: 20 }), reserve).claim({})
    await lease.append(logGroup(0, 1))
    await expect(stat(reserve)).rejects.toThrow()
    await expect(lease.append(logGroup(1, 1))).rejects.toMatchObject({
      code: 'storage_full',
      facts: { path: expect.stringContaining('0001.jsonl'), bytes: expect.any(Number) },
    })
    await lease.append(logGroup(1, 1))
    expect(await read()).toEqual([logGroup(0, 1), logGroup(1, 1)])
  })

  test('a claim that finds the disk full while it writes its header uses the reserve and the next number', async () => {
    const reserve = join(dir, 'reserve')
    await ensureReserve(nodeDisk, reserve)
    const lease = await open(faulty({ write: failing('ENOSPC', 1), part: 20 }), reserve).claim({})
    await lease.append(logGroup(0, 1))
    const contents = await open(nodeDisk).read()
    expect(contents).toEqual({ groups: [logGroup(0, 1)], notices: [], whole: true })
  })

  test('a claim without space is refused and leaves nobody as owner', async () => {
    await expect(open(faulty({ write: failing('ENOSPC', 1) })).claim({})).rejects.toMatchObject({
      code: 'storage_full',
    })
    expect(await open(nodeDisk).owner()).toBeUndefined()
    await (await open(nodeDisk).claim({})).append(logGroup(0, 1))
    expect(await read()).toEqual([logGroup(0, 1)])
  })
})

test.each(['EROFS', 'EACCES'])('a disk that refuses writes (%s) is storage_readonly at once', async (code) => {
  const lease = await open(faulty({ write: failing(code, 2) })).claim({})
  await expect(lease.append(logGroup(0, 1))).rejects.toMatchObject({ code: 'storage_readonly' })
})

test('a log that somebody cut under its writer is not written to any more', async () => {
  const lease = await open(faulty({ sync: failing('EIO', 3) })).claim({})
  await lease.append(logGroup(0, 1))
  await writeFile(join(dir, 's', '0001.jsonl'), '')
  await expect(lease.append(logGroup(1, 1))).rejects.toMatchObject({ code: 'storage_failed' })
})

test.skipIf(process.getuid?.() === 0)('a folder without write permission', async () => {
  await chmod(dir, 0o500)
  await expect(open(nodeDisk).claim({})).rejects.toMatchObject({ code: 'storage_readonly' })
  await chmod(dir, 0o700)
})

test('bytes that a stranger appended to a segment do not hide what follows', async () => {
  const lease = await open(nodeDisk).claim({})
  await lease.append(logGroup(0, 1))
  await appendFile(join(dir, 's', '0001.jsonl'), 'not ours\n')
  await lease.append(logGroup(1, 1))
  expect(await read()).toEqual([logGroup(0, 1), logGroup(1, 1)])
})
