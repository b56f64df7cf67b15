// Named sequences of the fence: each was once a lost or a ghost event.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logGroup } from '@tenon/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileWorld } from './testing/file-world.ts'
import { createFileWorld } from './testing/file-world.ts'
import { createPuppet } from './testing/puppet.ts'

let world: FileWorld
beforeEach(async () => {
  world = await createFileWorld()
})
afterEach(() => world.dispose())

const segment = (number: number) => join(world.dir, 'session', `000${number}.jsonl`)
const header = async (number: number) => JSON.parse((await readFile(segment(number), 'utf8')).split('\n')[0] ?? '')
const idsRead = async () => (await world.open().read()).groups.flat().map(({ id }) => id)
const ids = (...groups: ReturnType<typeof logGroup>[]) => groups.flat().map(({ id }) => id)

describe('three owners at once (RING 21)', () => {
  test('the one that wrote its header last but claimed first is void', async () => {
    await (await world.open().claim({})).release()
    const a = createPuppet(true)
    const leaseA = await world.open(a).claim({})
    expect(leaseA.token).toBe(2)

    // A stands in the middle of one line that holds 0 and 1.
    const midLine = a.stopBefore('write 0002.jsonl', 2)
    const appendA = leaseA.append(logGroup(0, 2, 'a'))
    await midLine

    // B has created 3 and is about to read; its first read of 2 was before, for the format.
    const b = createPuppet()
    const beforeRead = b.stopBefore('read 0002.jsonl', 2)
    const claimB = world.open(b).claim({ takeOver: true })
    await beforeRead

    // C creates 4, sees only part of A's line, writes its header from 0 and acknowledges 0 to 5.
    const leaseC = await world.open().claim({ takeOver: true })
    expect([leaseC.token, leaseC.contents.groups]).toEqual([4, []])
    for (const seq of [0, 3]) await leaseC.append(logGroup(seq, 3, 'c'))

    // A's line becomes whole; A learns that it is no owner. B reads that line and writes its header from 2.
    a.go()
    await expect(appendA).rejects.toMatchObject({ code: 'lease_lost' })
    b.go()
    await expect(claimB).rejects.toMatchObject({ code: 'session_in_use' })
    expect(await header(3)).toMatchObject({ token: 3, from: 2, after: 2 })
    expect(await header(4)).toMatchObject({ token: 4, from: 0, after: 2 })

    expect(await idsRead()).toEqual(ids(logGroup(0, 6, 'c')))
    await leaseC.append(logGroup(6, 1, 'c'))
    await leaseC.release()
    const next = await world.open().claim({})
    expect(next.contents.groups.flat().map(({ id }) => id)).toEqual(ids(logGroup(0, 7, 'c')))
  })

  test('a reader that read the tail before a claim cut it looks again', async () => {
    const a = createPuppet()
    const leaseA = await world.open(a).claim({})
    const r = createPuppet()
    const beforeWrite = a.stopBefore('write 0001.jsonl')
    const appendA = leaseA.append(logGroup(0, 1, 'a'))
    await beforeWrite

    // R has listed segment 1 only; B claims without A's line; then A's line lands, and R reads it.
    const beforeRead = r.stopBefore('read 0001.jsonl')
    const read = world.open(r).read()
    await beforeRead
    const leaseB = await world.open().claim({ takeOver: true })
    a.go()
    await expect(appendA).rejects.toMatchObject({ code: 'lease_lost' })
    r.go()
    expect((await read).groups).toEqual([])
    await leaseB.append(logGroup(0, 1, 'b'))
    expect(await idsRead()).toEqual(ids(logGroup(0, 1, 'b')))
  })
})

describe('a highest segment without a header', () => {
  test('a reader shows the whole lines and says that the tail is unsettled', async () => {
    await (await world.open().claim({})).append(logGroup(0, 2))
    for (const partial of ['', '{"tenon":"log","v":1,"ses']) {
      await writeFile(segment(2), partial)
      const contents = await world.open().read()
      expect(contents.groups).toEqual([logGroup(0, 2)])
      expect(contents.notices.map(({ kind }) => kind)).toEqual(['unsettled'])
      expect(contents.whole).toBe(true)
    }
  })

  test('the next owner passes it by, and readers are settled again', async () => {
    const log = world.open()
    const lease = await log.claim({})
    await lease.append(logGroup(0, 2))
    await lease.release()
    await writeFile(segment(2), '{"tenon"')
    const next = await world.open().claim({})
    expect(next.token).toBe(3)
    await next.append(logGroup(2, 1))
    expect(await header(3)).toMatchObject({ from: 2, after: 1 })
    for (const reader of [log, world.open()])
      expect(await reader.read()).toEqual({ groups: [logGroup(0, 2), logGroup(2, 1)], notices: [], whole: true })
  })
})

describe('roll-over', () => {
  test('a full segment is followed by the next one under the same lease', async () => {
    await world.dispose()
    world = await createFileWorld({ segmentBytes: 1000 })
    const lease = await world.open().claim({})
    for (let seq = 0; seq < 20; seq++) await lease.append(logGroup(seq, 1))
    expect(lease.lost.aborted).toBe(false)
    expect(await header(3)).toMatchObject({ token: 3, after: 2 })
    expect(await idsRead()).toEqual(ids(logGroup(0, 20)))
    expect(await world.open().pick([19, 0, 7])).toEqual([19, 0, 7].flatMap((seq) => logGroup(seq, 1)))
  })

  test('an owner that rolls over against a take-over loses, and nothing is doubled', async () => {
    await world.dispose()
    world = await createFileWorld({ segmentBytes: 300 })
    const a = createPuppet()
    const old = await world.open(a).claim({})
    await old.append(logGroup(0, 1, 'a'))
    const rolling = a.stopBefore('create 0002.jsonl')
    const appended = old.append(logGroup(1, 1, 'a'))
    await rolling
    const taken = await world.open().claim({ takeOver: true })
    a.go()
    await expect(appended).rejects.toMatchObject({ code: 'lease_lost' })
    await taken.append(logGroup(1, 1, 'b'))
    expect(await idsRead()).toEqual(ids(logGroup(0, 1, 'a'), logGroup(1, 1, 'b')))
  })
})
