// What a crash, a power cut or a bad disk leaves in the files, and what every reader makes of it.
import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logGroup } from '@tenon/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeLine } from './segment.ts'
import type { FileWorld } from './testing/file-world.ts'
import { createFileWorld } from './testing/file-world.ts'

let world: FileWorld
beforeEach(async () => {
  world = await createFileWorld()
})
afterEach(() => world.dispose())

const segment = (number: number) => join(world.dir, 'session', `000${number}.jsonl`)
const kinds = (contents: { readonly notices: readonly { kind: string }[] }) => contents.notices.map(({ kind }) => kind)
const seqs = (contents: { readonly groups: readonly (readonly { seq: number }[])[] }) =>
  contents.groups.flat().map(({ seq }) => seq)

/** A log of groups 0 · 1,2 · 3 in segment 1, its owner gone. */
async function writeLog(): Promise<void> {
  const lease = await world.open().claim({})
  for (const [seq, count] of [
    [0, 1],
    [1, 2],
    [3, 1],
  ] as const)
    await lease.append(logGroup(seq, count))
  await lease.release()
}

describe('a torn tail', () => {
  test('cut at every byte of the last record: the rest stands, the next owner goes on on a fresh line', async () => {
    await writeLog()
    const whole = await readFile(segment(1))
    const start = whole.lastIndexOf(0x0a, whole.length - 2) + 1
    for (let end = start; end < whole.length; end++) {
      await rm(segment(2), { force: true })
      await writeFile(segment(1), whole.subarray(0, end))
      const torn = await world.open().read()
      expect([seqs(torn), kinds(torn), torn.whole]).toEqual([[0, 1, 2], end > start ? ['torn'] : [], true])
      const lease = await world.open().claim({})
      await lease.append(logGroup(3, 2, 'b'))
      await lease.release()
      const after = await world.open().read()
      expect(after.groups).toEqual([logGroup(0, 1), logGroup(1, 2), logGroup(3, 2, 'b')])
      expect(after.whole).toBe(true)
    }
  })

  test('a cut inside a group shows nothing of the group', async () => {
    await writeLog()
    const whole = await readFile(segment(1), 'utf8')
    await truncate(segment(1), whole.indexOf('"text of 2"'))
    expect(seqs(await world.open().read())).toEqual([0])
  })
})

describe('a bad line inside', () => {
  test('half a record before a whole one on the same line: the whole one counts, the place is named', async () => {
    await writeLog()
    const half = encodeLine(logGroup(4, 1)).slice(0, 57)
    await appendFile(segment(1), half + encodeLine(logGroup(4, 2)))
    const contents = await world.open().read()
    expect([seqs(contents), contents.whole]).toEqual([[0, 1, 2, 3, 4, 5], true])
    expect(contents.notices).toEqual([{ kind: 'salvaged', text: expect.stringMatching(/0001\.jsonl:5:\d+: 57 bytes/) }])
    expect(await world.open().pick([5, 4])).toEqual([...logGroup(5, 1), ...logGroup(4, 1)])
  })

  test('zeros of a power cut before a record written again', async () => {
    await writeLog()
    await appendFile(segment(1), Buffer.concat([Buffer.alloc(4096), Buffer.from(encodeLine(logGroup(4, 1)))]))
    expect(seqs(await world.open().read())).toEqual([0, 1, 2, 3, 4])
    expect(await world.open().pick([4])).toEqual(logGroup(4, 1))
  })

  test('the same lines written again after a failed sync count once', async () => {
    await writeLog()
    const lines = encodeLine(logGroup(4, 1)) + encodeLine(logGroup(5, 2))
    await appendFile(segment(1), `${lines}${encodeLine(logGroup(4, 1)).slice(0, 30)}\n${lines}`)
    const contents = await world.open().read()
    expect([seqs(contents), kinds(contents), contents.whole]).toEqual([[0, 1, 2, 3, 4, 5, 6], ['skipped'], true])
  })

  test('an acknowledged record destroyed: everything else is shown, the gap is named, the log is not whole', async () => {
    await writeLog()
    const text = await readFile(segment(1), 'utf8')
    await writeFile(segment(1), text.replace('[{"v":1,"seq":1', '[{"v":1,"seq"?1'))
    const contents = await world.open().read()
    expect([seqs(contents), contents.whole]).toEqual([[0, 3], false])
    expect(contents.notices).toEqual([
      { kind: 'gap', text: expect.stringMatching(/0001\.jsonl: events 1 to 2 are missing/) },
      { kind: 'skipped', text: expect.stringMatching(/0001\.jsonl:3:\d+: not a whole record/) },
    ])
    await expect(world.open().pick([0, 2])).rejects.toMatchObject({ code: 'log_damaged' })
    expect((await world.open().claim({})).contents.whole).toBe(false)
  })

  test('a flipped digit in a seq hides one record, not those after it', async () => {
    await writeLog()
    const text = await readFile(segment(1), 'utf8')
    await writeFile(segment(1), text.replace('{"v":1,"seq":0', '{"v":1,"seq":900000'))
    expect(seqs(await world.open().read())).toEqual([1, 2, 3])
  })

  test.each([
    ['a damaged header', (text: string) => text.replace('{"tenon"', '{"tenom"')],
    ['a header of zeros', (text: string) => `${'\0'.repeat(60)}${text.slice(text.indexOf('\n'))}`],
  ])(
    '%s: every record is shown; above segment 1 the log is not whole, since its links are a guess',
    async (_name, spoil) => {
      await writeLog()
      const lease = await world.open().claim({})
      await lease.append(logGroup(4, 1))
      await lease.release()
      for (const [number, whole] of [
        [1, true],
        [2, false],
      ] as const) {
        await writeFile(segment(number), spoil(await readFile(segment(number), 'utf8')))
        const contents = await world.open().read()
        expect([seqs(contents), contents.whole]).toEqual([[0, 1, 2, 3, 4], whole])
        expect(kinds(contents)).toContain('skipped')
      }
    },
  )

  test('a missing segment is a gap, not an empty log', async () => {
    await writeLog()
    await (await world.open().claim({})).append(logGroup(4, 1))
    await rm(segment(1))
    const contents = await world.open().read()
    expect([seqs(contents), contents.whole]).toEqual([[4], false])
    expect(kinds(contents)).toContain('gap')
  })

  test('a log of a newer format is refused by name', async () => {
    await writeLog()
    await writeFile(segment(1), (await readFile(segment(1), 'utf8')).replace('"v":1', '"v":2'))
    const log = world.open()
    for (const act of [() => log.read(), () => log.read(), () => log.claim({})])
      await expect(act()).rejects.toMatchObject({ code: 'log_newer' })
    expect((await readdir(join(world.dir, 'session'))).filter((name) => name.endsWith('.jsonl'))).toEqual([
      '0001.jsonl',
    ])
  })
})

describe('framing', () => {
  test('one line a group: separators of other tools and lone surrogates never stand in it', async () => {
    const line = encodeLine(
      logGroup(0, 1, 'a').map((event) => ({ ...event, set: { title: '\u2028\u2029\u0085\n\0\ud800' } })),
    )
    expect(line).toMatch(/\\u2028\\u2029\\u0085\\n\\u0000\\ud800/)
    expect([...line].filter((char) => /[\n\u0085\u2028\u2029]|\p{Cs}/u.test(char))).toEqual(['\n'])
    expect(line.endsWith('\n')).toBe(true)
  })
})
