// The simulator's hands on the memory log.
import { beforeEach, expect, test } from 'vitest'
import { logGroup } from './events.ts'
import type { MemoryLog } from './memory-log.ts'
import { createMemoryLog } from './memory-log.ts'

let log: MemoryLog
beforeEach(() => {
  log = createMemoryLog('ses_sim')
})
const stored = async () => (await log.read()).groups
/** `pending` while a promise has not settled after all that could run has run. */
const stateOf = async (promise: Promise<unknown>) => {
  const idle = new Promise((resolve) => setImmediate(() => resolve('pending')))
  return Promise.race([promise.then(() => 'stored'), idle])
}

test('while held nothing is acknowledged or shown; then everything is, in order', async () => {
  const lease = await log.claim({})
  log.hold()
  const appends = [lease.append(logGroup(0, 2)), lease.append(logGroup(2, 1))]
  expect([await stateOf(appends[0] ?? Promise.resolve()), await stored()]).toEqual(['pending', []])
  log.unhold()
  await Promise.all(appends)
  expect(await stored()).toEqual([logGroup(0, 2), logGroup(2, 1)])
})

test('up to three failed syncs are hidden; four refuse the append, which may then come again', async () => {
  const lease = await log.claim({})
  log.failSyncs(3)
  await lease.append(logGroup(0, 1))
  log.failSyncs(4)
  await expect(lease.append(logGroup(1, 1))).rejects.toMatchObject({ code: 'storage_failed' })
  await lease.append(logGroup(1, 1))
  expect(await stored()).toEqual([logGroup(0, 1), logGroup(1, 1)])
})

test('a crash drops what was not durable, and its appends never settle; the next owner claims without force', async () => {
  const lease = await log.claim({})
  await lease.append(logGroup(0, 1))
  log.hold()
  const lost = lease.append(logGroup(1, 1, 'lost'))
  await stateOf(lost)
  log.crash()
  const next = await log.claim({})
  expect(next.contents.groups).toEqual([logGroup(0, 1)])
  await next.append(logGroup(1, 1, 'next'))
  expect([await stateOf(lost), await stateOf(lease.append(logGroup(2, 1)))]).toEqual(['pending', 'pending'])
  expect(await stored()).toEqual([logGroup(0, 1), logGroup(1, 1, 'next')])
  expect(lease.lost.aborted).toBe(false)
})

test('a lost lease is told at once, and what was held back is refused', async () => {
  const lease = await log.claim({})
  log.hold()
  const waiting = lease.append(logGroup(0, 1))
  await stateOf(waiting)
  log.loseLease()
  log.unhold()
  await expect(waiting).rejects.toMatchObject({ code: 'lease_lost' })
  expect(lease.lost.aborted).toBe(true)
  expect(await stored()).toEqual([])
  await (await log.claim({})).append(logGroup(0, 1))
})
