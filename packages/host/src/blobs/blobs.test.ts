import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeDisk } from '../log/disk/node-disk.ts'
import { makeTestDir } from '../log/testing/file-world.ts'
import { createFileBlobs } from './blobs.ts'

let dir: string
beforeEach(async () => {
  dir = await makeTestDir()
})
afterEach(() => nodeDisk.remove(dir))

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (data: Uint8Array) => new TextDecoder().decode(data)
const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
const pathOf = (sha256: string) => join(dir, sha256.slice(0, 2), sha256)
const leftovers = async () => (await readdir(dir, { recursive: true })).filter((name) => /spool|tmp/.test(name))

describe('put and get', () => {
  test('content lies under its hash, once, for its owner alone', async () => {
    const blobs = createFileBlobs({ dir })
    const data = bytes('one\ntwo\nthree')
    const blob = await blobs.put(data, 'text/plain')
    expect(blob).toEqual({ sha256: hash(data), bytes: 13, mime: 'text/plain', lines: 3 })
    const first = await stat(pathOf(blob.sha256))
    expect(await blobs.put(data, 'text/plain')).toEqual(blob)
    expect([(await stat(pathOf(blob.sha256))).ino, first.mode & 0o777]).toEqual([first.ino, 0o600])
    expect(text(await blobs.get(blob.sha256))).toBe('one\ntwo\nthree')
    expect(await leftovers()).toEqual([])
  })

  test('a range ends where the blob ends', async () => {
    const blobs = createFileBlobs({ dir })
    const { sha256 } = await blobs.put(bytes('0123456789'), 'application/octet-stream')
    for (const [offset, length, expected] of [
      [2, 3, '234'],
      [8, 100, '89'],
      [10, 1, ''],
      [99, 5, ''],
    ] as const)
      expect(text(await blobs.get(sha256, { offset, length }))).toBe(expected)
  })

  test('nothing at all is content too', async () => {
    const blobs = createFileBlobs({ dir })
    const blob = await blobs.put(new Uint8Array(), 'text/plain')
    expect([blob.bytes, blob.lines, (await blobs.get(blob.sha256)).length]).toEqual([0, 0, 0])
  })

  test('a missing one and a damaged one are told apart', async () => {
    const blobs = createFileBlobs({ dir })
    await expect(blobs.get('0'.repeat(64))).rejects.toMatchObject({ code: 'blob_missing' })
    const { sha256 } = await blobs.put(bytes('right'), 'text/plain')
    await writeFile(pathOf(sha256), 'wrong')
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_damaged' })
  })

  test.each(['../../etc/passwd', 'abc', `${'0'.repeat(63)}/`])('%s is no hash, so no blob', async (name) => {
    await expect(createFileBlobs({ dir }).get(name)).rejects.toMatchObject({ code: 'blob_missing' })
  })

  test('eight writers of the same content at once all succeed', async () => {
    const blobs = createFileBlobs({ dir })
    const all = await Promise.all(Array.from({ length: 8 }, () => blobs.put(bytes('same'), 'text/plain')))
    expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(1)
    expect(await leftovers()).toEqual([])
  })
})

describe('the quota', () => {
  test('counts what earlier processes stored; what is over it is refused, equal content is not', async () => {
    await createFileBlobs({ dir, quota: 10 }).put(bytes('12345678'), 'text/plain')
    const blobs = createFileBlobs({ dir, quota: 10 })
    await expect(blobs.put(bytes('abc'), 'text/plain')).rejects.toMatchObject({ code: 'quota_exceeded' })
    await blobs.put(bytes('12345678'), 'text/plain')
    await blobs.put(bytes('ab'), 'text/plain')
  })

  test('at once or one by one, no more fits in', async () => {
    const blobs = createFileBlobs({ dir, quota: 10 })
    const puts = await Promise.allSettled(
      ['1234', '5678', '90ab'].map((content) => blobs.put(bytes(content), 'text/plain')),
    )
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })
})

describe('a spool', () => {
  const spool = async (chunks: readonly Uint8Array[], spoolBytes = 1 << 20) => {
    const blobs = createFileBlobs({ dir, spoolBytes })
    const sink = await blobs.spool('text/plain')
    for (const chunk of chunks) await sink.write(chunk)
    const { blob, total } = await sink.finish()
    return { total, blob, content: blob && (await readFile(pathOf(blob.sha256))) }
  }

  test('that got nothing makes no blob', async () => {
    expect(await spool([])).toEqual({ total: 0, blob: null, content: null })
  })

  test.each([1, 100, 300_000, 1 << 20])('of %i bytes, at most its limit, is kept whole', async (size) => {
    const data = Buffer.from(Array.from({ length: size }, (_, i) => 97 + (i % 26)))
    const chunks = Array.from({ length: Math.ceil(size / 70_001) }, (_, i) =>
      data.subarray(i * 70_001, (i + 1) * 70_001),
    )
    const { total, blob, content } = await spool(chunks)
    expect([total, blob?.bytes, blob?.sha256, content?.equals(data)]).toEqual([size, size, hash(data), true])
    expect(await leftovers()).toEqual([])
  })

  test.each([1001, 1500, 1999, 2000, 2001, 12_345])(
    'over its limit keeps the first and the last half and states the gap (%i bytes)',
    async (size) => {
      const data = Buffer.from(Array.from({ length: size }, (_, i) => 97 + (i % 26)))
      for (const step of [7, 500, 499, size]) {
        const chunks = Array.from({ length: Math.ceil(size / step) }, (_, i) => data.subarray(i * step, (i + 1) * step))
        const { total, content } = await spool(chunks, 1000)
        const gap = Buffer.from(`\n[${size - 1000} bytes left out]\n`)
        const expected = Buffer.concat([data.subarray(0, 500), gap, data.subarray(size - 500)])
        expect([total, content?.toString()]).toEqual([size, expected.toString()])
      }
      expect(await leftovers()).toEqual([])
    },
  )

  test('whose buffers are used again by the writer keeps what it was given', async () => {
    const buffer = Buffer.alloc(3)
    const sink = await createFileBlobs({ dir }).spool('text/plain')
    for (const word of ['abc', 'def']) {
      buffer.write(word)
      await sink.write(buffer)
    }
    const { blob } = await sink.finish()
    expect(blob?.sha256).toBe(hash(bytes('abcdef')))
  })

  test('abandoned leaves nothing behind', async () => {
    const sink = await createFileBlobs({ dir }).spool('text/plain')
    await sink.write(Buffer.alloc(600_000))
    expect(await leftovers()).toHaveLength(1)
    await sink.abandon()
    expect(await leftovers()).toEqual([])
  })
})
