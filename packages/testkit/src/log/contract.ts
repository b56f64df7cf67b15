// The contract of the Log port: every adapter runs this suite. The test functions come from the caller's runner, so
// that this package loads without one.
import assert from 'node:assert/strict'
import type { Group, Lease, Log } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { logEvent, logGroup } from './events.ts'
import { runInterleaving } from './interleaving.ts'
import type { LogWorld } from './process.ts'

export interface LogContractOptions {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: () => Promise<void>, timeoutMs?: number) => void
  /** Lives of the interleaving test; 0 leaves it out. */
  readonly rounds: number
  /** Seed of the first life; the others follow. */
  readonly seed?: number
}

/** @param make the storage of one session; `random` decides sizes that only the adapter knows */
export function logContract(
  name: string,
  make: (random: () => number) => Promise<LogWorld>,
  { describe, test, rounds, seed = 1 }: LogContractOptions,
): void {
  /** One test over its own storage. */
  const check = (title: string, body: (world: LogWorld) => Promise<void>) =>
    test(title, async () => {
      const world = await make(() => 0.99)
      try {
        await body(world)
      } finally {
        await world.dispose()
      }
    })

  describe(`${name} keeps the contract of Log`, () => {
    check('what was appended comes back, group by group, in order', async (world) => {
      const log = world.open()
      const lease = await log.claim({})
      const groups: Group[] = [logGroup(0, 1), logGroup(1, 3), awkwardGroup(4)]
      for (const group of groups) await lease.append(group)
      for (const reader of [log, world.open()])
        assert.deepEqual(await reader.read(), { groups, notices: [], whole: true })
    })

    check('a new log is empty and whole', async (world) => {
      assert.deepEqual(await world.open().read(), { groups: [], notices: [], whole: true })
      assert.equal(await world.open().owner(), undefined)
    })

    check('a read from the middle shows what follows, also inside a group', async (world) => {
      const lease = await world.open().claim({})
      await lease.append(logGroup(0, 2))
      await lease.append(logGroup(2, 3))
      const reader = world.open()
      for (const from of [0, 1, 2, 3, 4, 5, 9])
        assert.deepEqual(seqsOf((await reader.read(from)).groups), range(from, 5))
    })

    check('picked events come in the order asked, each as often as asked', async (world) => {
      const lease = await world.open().claim({})
      for (let seq = 0; seq < 30; seq += 3) await lease.append(logGroup(seq, 3))
      const reader = world.open()
      const events = await reader.pick([17, 2, 2, 29, 0])
      assert.deepEqual(
        events,
        [17, 2, 2, 29, 0].map((seq) => logEvent(seq)),
      )
      assert.deepEqual(await reader.pick([]), [])
      await lease.append(logGroup(30, 1))
      assert.deepEqual(await reader.pick([30, 3]), [logEvent(30), logEvent(3)])
      await assert.rejects(reader.pick([3, 31]), hasCode('log_damaged'))
    })

    check('appends of one moment are acknowledged in call order', async (world) => {
      const lease = await world.open().claim({})
      const order: number[] = []
      await Promise.all(range(0, 50).map((seq) => lease.append(logGroup(seq, 1)).then(() => order.push(seq))))
      assert.deepEqual(order, range(0, 50))
      assert.deepEqual(seqsOf((await world.open().read()).groups), range(0, 50))
    })

    check('an append that leaves a gap, repeats a seq or is empty is refused and changes nothing', async (world) => {
      const lease = await world.open().claim({})
      await lease.append(logGroup(0, 2))
      const broken: Group[] = [logGroup(3, 1), logGroup(1, 1), [], [logEvent(2), logEvent(4)]]
      for (const group of broken) await assert.rejects(lease.append(group))
      await lease.append(logGroup(2, 1))
      assert.deepEqual(seqsOf((await world.open().read()).groups), [0, 1, 2])
    })

    check('a lease starts from what the log holds, and every later owner has a higher token', async (world) => {
      let token = 0
      for (let owner = 0; owner < 4; owner++) {
        const lease = await world.open().claim({})
        assert.ok(lease.token > token, `${lease.token} > ${token}`)
        token = lease.token
        assert.deepEqual(seqsOf(lease.contents.groups), range(0, owner * 2))
        await lease.append(logGroup(owner * 2, 2, `o${owner}`))
        await lease.release()
      }
    })

    check('a living owner keeps the session; the refusal names it', async (world) => {
      const lease = await world.open().claim({ url: 'http://127.0.0.1:1/' })
      const other = world.open()
      await assert.rejects(other.claim({}), (error) => {
        assert.ok(error instanceof TenonError)
        assert.equal(error.code, 'session_in_use')
        assert.equal(error.facts.url, 'http://127.0.0.1:1/')
        for (const fact of ['pid', 'host', 'renewedAt', 'alive']) assert.ok(fact in error.facts, fact)
        return true
      })
      assert.equal((await other.owner())?.alive, true)
      await lease.append(logGroup(0, 1))
      await lease.release()
      assert.equal(await other.owner(), undefined)
      await assert.rejects(lease.append(logGroup(1, 1)), hasCode('lease_lost'))
      await (await other.claim({})).append(logGroup(1, 1))
    })

    check('after a take-over the old owner stores nothing more and is told', async (world) => {
      const old = await world.open().claim({})
      await old.append(logGroup(0, 2, 'old'))
      const log = world.open()
      const taken = await log.claim({ takeOver: true })
      assert.deepEqual(seqsOf(taken.contents.groups), [0, 1])
      await assert.rejects(old.append(logGroup(2, 1, 'old')), hasCode('lease_lost'))
      await assert.rejects(old.append(logGroup(2, 1, 'old')), hasCode('lease_lost'))
      assert.ok(old.lost.aborted)
      await taken.append(logGroup(2, 2, 'new'))
      const ids = (await world.open().read()).groups.flat().map(({ id }) => id)
      assert.deepEqual(
        ids,
        [...logGroup(0, 2, 'old'), ...logGroup(2, 2, 'new')].map(({ id }) => id),
      )
      await old.release()
      await taken.append(logGroup(4, 1, 'new'))
      assert.equal((await log.owner())?.alive, true)
    })

    check('closing the log of an owner releases the session', async (world) => {
      const log = world.open()
      await (await log.claim({})).append(logGroup(0, 1))
      await log.close()
      assert.deepEqual(seqsOf((await world.open().claim({})).contents.groups), [0])
    })

    check('a reader that waits is woken by an append of another process, and by its signal', async (world) => {
      const reader = world.open()
      const lease = await world.open().claim({})
      await lease.append(logGroup(0, 1))
      await reader.read()
      await reader.changed(0, never())
      await wakesReader(reader, lease, 1)
      await wakesReader(reader, lease, 2)
      const stop = new AbortController()
      const waiting = reader.changed(1000, stop.signal)
      stop.abort()
      await waiting
    })

    if (rounds === 0) return
    test(`${rounds} random lives: nothing acknowledged is lost, nothing shown vanishes`, async () => {
      for (let round = 0; round < rounds; round++) await runInterleaving({ seed: seed + round, make })
    }, 600_000)
  })
}

async function wakesReader(reader: Log, lease: Lease, seq: number): Promise<void> {
  let seen: number[] = []
  const waiting = (async () => {
    while (!seen.includes(seq)) {
      await reader.changed(seq, never())
      seen = seqsOf((await reader.read()).groups)
    }
  })()
  await lease.append(logGroup(seq, 1))
  await waiting
}

/** Everything that splits lines, confuses JSON or is no Unicode, in texts and in a key. */
function awkwardGroup(seq: number): Group {
  const texts = [
    '\u2028\u2029\u0085',
    '\0\n\r\t\\"',
    '\ud800 lone',
    'lone \udfff',
    '👩‍🚀 é',
    '{"seq":1}\n[{"seq":2}]',
    '',
  ]
  const event = logEvent(seq + texts.length)
  const odd = { ...event, set: { 'key\u2028\n\ud800': [1.5, -0.25, null, { deep: ['\u0085'] }] } }
  return [...texts.map((text, index) => logEvent(seq + index, 'a', text)), odd]
}

const seqsOf = (groups: readonly Group[]): number[] => groups.flat().map(({ seq }) => seq)
const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
const never = (): AbortSignal => new AbortController().signal
const hasCode = (code: string) => (error: unknown) => error instanceof TenonError && error.code === code
