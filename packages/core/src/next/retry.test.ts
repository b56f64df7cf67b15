// The class table and the due time: data in, the same answer whenever and wherever it is computed.
import { createFold, emptyRun, type Failures } from '@tenon/projections'
import { type Event, type FailureClass, failureClasses } from '@tenon/protocol'
import { given, sha256 } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { next } from './next.ts'
import { retriesOf, retryAt } from './retry.ts'

const failures = (more: Partial<Failures> = {}): Failures => ({
  class: 'server',
  count: 1,
  total: 1,
  at: 1_000,
  roll: 0.5,
  retryAfter: 0,
  message: 'no',
  ...more,
})

test.each([
  ['first try, roll 0', { roll: 0 }, 1_750],
  ['first try, roll 1', { roll: 1 }, 2_250],
  ['second try doubles', { count: 2, roll: 0.5 }, 3_000],
  ['fifth try', { count: 5, roll: 0.5 }, 17_000],
  ['never longer than a minute, roll 0.5', { count: 20, roll: 0.5 }, 61_000],
  ['the provider asks for more', { retryAfter: 3_000 }, 4_000],
  ['the provider asks for less', { retryAfter: 10 }, 2_000],
  ['it counts from the failure', { at: 50_000 }, 51_000],
] as [string, Partial<Failures>, number][])('the next try is due: %s', (_name, more, due) => {
  expect(retryAt(failures(more))).toBe(due)
})

test('20: the gap is never shorter than Retry-After nor than three quarters of the backoff, and whole', () => {
  const any = fc.record({
    count: fc.integer({ min: 1, max: 12 }),
    roll: fc.double({ min: 0, max: 1, noNaN: true }),
    retryAfter: fc.nat(600_000),
    at: fc.nat(2 ** 40),
  })
  fc.assert(
    fc.property(any, (more) => {
      const gap = retryAt(failures(more)) - more.at
      const backoff = Math.min(60_000, 1_000 * 2 ** (more.count - 1))
      expect(Number.isInteger(gap)).toBe(true)
      expect(gap).toBeGreaterThanOrEqual(Math.max(more.retryAfter, 0.75 * backoff - 1))
      expect(gap).toBeLessThanOrEqual(Math.max(more.retryAfter, 1.25 * backoff + 1))
    }),
    { seed: 20_260_728, numRuns: 300 },
  )
})

const retries: Readonly<Record<FailureClass, number>> = {
  rate_limit: 5,
  overloaded: 5,
  connection: 4,
  timeout: 4,
  stalled: 4,
  server: 4,
  empty: 2,
  auth: 0,
  forbidden: 0,
  quota: 0,
  context_overflow: 0,
  output_limit: 0,
  cache_too_small: 0,
  unsupported: 0,
  image_rejected: 0,
  signature: 0,
  malformed_history: 0,
  tool_schema: 0,
  model_not_found: 0,
  bad_request: 0,
  content_policy: 0,
  cancelled: 0,
  interrupted: 1,
  internal: 0,
}

test.each([0, 0.999_999])(
  '48: with the roll %d the log, read again by another process, gives the same due time',
  (roll) => {
    const log = given()
    log.run('go')
    log.attempt()
    log.add({
      type: 'model.failed',
      by: 'harness',
      attempt: log.state.attempts[0]?.id ?? 'ev_none',
      purpose: 'act',
      roll,
      failure: { code: 'model_failed', class: 'server', message: 'no', action: '', retryable: true },
    })
    const stored: Event[] = JSON.parse(JSON.stringify(log.groups.flat()))
    const again = stored.reduce(createFold(sha256), emptyRun)
    const steps = [log.state, again].map((state) =>
      next(state, { now: log.now + 500, answerer: 'none', hash: sha256, version: '0' }),
    )
    const due = log.now + (roll === 0 ? 750 : 1_250)
    expect(steps).toEqual([
      { row: 'retry', facts: [], effects: [], until: due },
      { row: 'retry', facts: [], effects: [], until: due },
    ])
  },
)

describe('the class table', () => {
  test.each(failureClasses)('%s: so many tries, then the run ends with what to do next', (failed) => {
    const log = given()
    log.run('go')
    for (let i = 0; i <= retries[failed]; i++) {
      if (i > 0) {
        const due = next(log.state, { now: log.now, answerer: 'none', hash: sha256, version: '0' }).until
        log.wait((due ?? 0) - log.now)
        expect(next(log.state, { now: log.now, answerer: 'none', hash: sha256, version: '0' })).toMatchObject({
          row: 'act',
          facts: [{ try: i }],
        })
      }
      log.attempt({ try: i })
      log.add({
        type: 'model.failed',
        by: 'harness',
        attempt: log.state.attempts[0]?.id ?? 'ev_none',
        purpose: 'act',
        roll: 0.5,
        failure: { code: 'model_failed', class: failed, message: 'said no', action: '', retryable: false },
      })
    }
    expect(retriesOf(failed)).toBe(retries[failed])
    const { row, facts } = next(log.state, { now: log.now, answerer: 'none', hash: sha256, version: '0' })
    expect([row, facts]).toMatchObject([
      'retry',
      [
        {
          type: 'run.ended',
          outcome: failed === 'content_policy' ? 'refused' : 'failed',
          failure: {
            class: failed,
            message: 'said no',
            action: expect.stringMatching(/\w/),
            retryable: retries[failed] > 0,
          },
        },
      ],
    ])
  })

  test('a provider that asks for more than ten minutes is not waited for; the run says until when', () => {
    const log = given()
    log.run('go')
    log.attempt()
    log.add({
      type: 'model.failed',
      by: 'harness',
      attempt: log.state.attempts[0]?.id ?? 'ev_none',
      purpose: 'act',
      roll: 0,
      retryAfter: 11 * 60_000,
      failure: { code: 'model_failed', class: 'rate_limit', message: 'slow down.', action: '', retryable: true },
    })
    const step = next(log.state, { now: log.now, answerer: 'none', hash: sha256, version: '0' })
    expect(step.facts).toMatchObject([
      {
        outcome: 'failed',
        failure: {
          class: 'rate_limit',
          message: 'slow down. The provider asks to wait until 1970-01-01T00:11:01.000Z.',
        },
      },
    ])
  })

  test('another class starts its own count', () => {
    const log = given()
    log.run('go')
    for (const failed of ['server', 'server', 'connection'] as const) {
      log.attempt()
      log.add({
        type: 'model.failed',
        by: 'harness',
        attempt: log.state.attempts[0]?.id ?? 'ev_none',
        purpose: 'act',
        roll: 0.5,
        failure: { code: 'model_failed', class: failed, message: 'no', action: '', retryable: true },
      })
    }
    expect(log.state.failures).toMatchObject({ class: 'connection', count: 1, total: 3 })
  })
})
