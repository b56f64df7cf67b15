import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

const never = new AbortController().signal

test('until waits, is at once for the past, and gives the signal’s reason', async () => {
  const start = systemClock.now()
  await systemClock.until(start - 1000, never)
  await systemClock.until(start + 30, never)
  expect(systemClock.now()).toBeGreaterThanOrEqual(start + 30)
  const stop = new AbortController()
  const waiting = systemClock.until(start + 1e12, stop.signal)
  stop.abort('enough')
  await expect(waiting).rejects.toBe('enough')
  await expect(systemClock.until(0, stop.signal)).rejects.toBe('enough')
})
