// The loop guard: what counts as going in circles, and its ladder: nudge, skip, ask or stuck.
import { callOf, type Given, given, sha256 } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { next } from './next.ts'
import type { Answerer, Step } from './step.ts'

const step = ({ state, now }: Given, answerer: Answerer = 'none'): Step =>
  next(state, { now, answerer, hash: sha256, version: '0' })

let n = 0
/** One reply with one call, and its result. */
function turn(log: Given, input: string, result: string, status: 'ok' | 'error' = 'ok', tool = 'Read'): void {
  const id = `c${n++}`
  log.reply([callOf(id, tool, { input })])
  log.done(id, status, result)
}

const running = (config: Parameters<typeof given>[0] = {}): Given => {
  const log = given(config)
  log.run('go')
  return log
}
const hit = (log: Given): boolean => step(log).row === 'loop'

describe('what is a loop', () => {
  test.each<[string, [input: string, result: string, status?: 'ok' | 'error'][], boolean]>([
    [
      'the same call with the same result twice',
      [
        ['a', 'r'],
        ['a', 'r'],
      ],
      false,
    ],
    [
      'three times',
      [
        ['a', 'r'],
        ['a', 'r'],
        ['a', 'r'],
      ],
      true,
    ],
    [
      '15: polling with changing output',
      [
        ['a', '1'],
        ['a', '2'],
        ['a', '3'],
        ['a', '4'],
      ],
      false,
    ],
    [
      'different calls with the same result',
      [
        ['a', 'r'],
        ['b', 'r'],
        ['c', 'r'],
        ['d', 'r'],
      ],
      false,
    ],
    ['a cycle of two, three times', ['a', 'b', 'a', 'b', 'a', 'b'].map((input) => [input, 'r']), true],
    ['a cycle of two, not quite', ['a', 'b', 'a', 'b', 'a'].map((input) => [input, 'r']), false],
    ['a cycle of three, three times', ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'].map((input) => [input, 'r']), true],
    ['a cycle of four', [...'abcdabcdabcd'].map((input) => [input, 'r']), false],
    [
      'three in a row, then another call',
      [
        ['a', 'r'],
        ['a', 'r'],
        ['a', 'r'],
        ['b', 'r'],
      ],
      false,
    ],
    [
      'the same error three times, with others between',
      [
        ['a', 'no', 'error'],
        ['b', 'r'],
        ['a', 'no', 'error'],
        ['c', 'r'],
        ['a', 'no', 'error'],
      ],
      true,
    ],
    [
      'the same call with different errors',
      [
        ['a', 'no', 'error'],
        ['b', 'r'],
        ['a', 'nope', 'error'],
        ['c', 'r'],
        ['a', 'never', 'error'],
      ],
      false,
    ],
    [
      'results that differ only in how long it took',
      [
        ['a', 'ran 12 ms'],
        ['a', 'ran 9 ms'],
        ['a', 'ran 1.5 s'],
      ],
      true,
    ],
  ])('%s: %s', (_name, turns, expected) => {
    const log = running()
    for (const [input, result, status] of turns) turn(log, input, result, status)
    expect(hit(log)).toBe(expected)
  })

  test('15: 40 different reads and 60 polls with changing output are none', () => {
    const log = running()
    for (let i = 0; i < 40; i++) {
      turn(log, `file ${i}`, 'same text')
      expect(hit(log)).toBe(false)
    }
    for (let i = 0; i < 60; i++) {
      turn(log, 'poll', `at ${i}`)
      expect(hit(log)).toBe(false)
    }
  })

  test('the description of a call does not make it another one', () => {
    const log = running()
    for (const description of ['one', 'two', 'three']) {
      const id = `d${n++}`
      log.reply([callOf(id, 'Bash', { command: 'ls', description })])
      log.done(id)
    }
    expect(hit(log)).toBe(true)
  })

  test('a message of a person starts the count anew', () => {
    const log = running()
    for (let i = 0; i < 2; i++) turn(log, 'a', 'r')
    log.queue('look elsewhere')
    log.add(...step(log).facts)
    turn(log, 'a', 'r')
    expect(hit(log)).toBe(false)
  })

  test('checks.stuck turns it off, checks.stuckRepeats sets how often', () => {
    const off = running({ 'checks.stuck': false })
    const five = running({ 'checks.stuckRepeats': 5 })
    for (let i = 0; i < 4; i++) for (const log of [off, five]) turn(log, 'a', 'r')
    expect([hit(off), hit(five)]).toEqual([false, false])
    for (const log of [off, five]) turn(log, 'a', 'r')
    expect([hit(off), hit(five)]).toEqual([false, true])
  })

  test('the third empty reply in a row counts as one', () => {
    const log = running()
    const rows: string[] = []
    for (let i = 0; i < 3; i++) {
      log.reply([' '])
      const { row, facts } = step(log)
      rows.push(row)
      log.add(...facts)
    }
    // The nudge is owed an answer; before it is asked for, the guard looks.
    expect([rows, step(log)]).toMatchObject([
      ['mend', 'mend', 'mend'],
      {
        row: 'loop',
        facts: [{ kind: 'loop', parts: [{ text: expect.stringContaining('3 replies without a call') }] }],
      },
    ])
  })
})

describe('the ladder', () => {
  const nudged = (): Given => {
    const log = running()
    for (let i = 0; i < 3; i++) turn(log, 'a', 'r')
    const { row, facts } = step(log)
    expect([row, facts]).toMatchObject(['loop', [{ type: 'message.added', kind: 'loop' }]])
    log.add(...facts)
    expect(step(log).row).toBe('act')
    return log
  }
  /** The repeated call again: skipped before it is judged. */
  const skipped = (): Given => {
    const log = nudged()
    log.reply([callOf(`s${n++}`, 'Read', { input: 'a' })])
    const { row, facts } = step(log)
    expect([row, facts]).toMatchObject([
      'close',
      [{ type: 'tool.finished', status: 'cancelled', content: [{ message: expect.stringContaining('repeated') }] }],
    ])
    log.add(...facts)
    return log
  }

  test('first rung: a nudge, and the results stand', () => {
    expect(nudged().state.branch.prints).toHaveLength(3)
  })

  test('48: second rung: the repeated call is answered before it is judged, and the model goes on', () => {
    const log = skipped()
    expect(step(log)).toMatchObject({ row: 'act', facts: [{ type: 'model.started' }] })
  })

  test('second rung: siblings of a repeated call run', () => {
    const log = nudged()
    log.reply([callOf('again', 'Read', { input: 'a' }), callOf('new', 'Read', { input: 'b' })])
    const { facts } = step(log)
    expect(facts).toMatchObject([{ ref: { call: 'again' }, status: 'cancelled' }])
    log.add(...facts)
    expect(step(log)).toMatchObject({ row: 'judge', effects: [{ call: { ref: { call: 'new' } } }] })
  })

  test('third rung with nobody here: the run ends stuck', () => {
    const log = skipped()
    log.reply([callOf('third', 'Read', { input: 'a' })])
    log.add(...step(log).facts)
    expect(step(log)).toMatchObject({ row: 'loop', facts: [{ type: 'run.ended', outcome: 'stuck', row: 'loop' }] })
  })

  const asked = (): Given => {
    const log = skipped()
    log.reply([callOf(`t${n++}`, 'Read', { input: 'a' })])
    log.add(...step(log, 'some').facts)
    const { facts } = step(log, 'some')
    expect(facts).toMatchObject([{ type: 'ask.opened', kind: 'loop' }])
    log.add(...facts)
    expect(step(log, 'some')).toEqual({ row: 'rest', facts: [], effects: [] })
    return log
  }
  const answer = (log: Given, option: string) =>
    log.add({
      type: 'ask.closed',
      by: 'person',
      ask: log.state.asks[0]?.id ?? 'ev_none',
      how: 'answered',
      answer: { options: [option] },
    })

  test('third rung with somebody here: an ask; "allow" lets it go on once', () => {
    const log = asked()
    answer(log, 'allow')
    expect(step(log, 'some').row).toBe('act')
  })

  test('"stop" ends the run stuck', () => {
    const log = asked()
    answer(log, 'stop')
    expect(step(log, 'some')).toMatchObject({ row: 'loop', facts: [{ outcome: 'stuck' }] })
  })

  test('with --on-ask stop the run ends asked and the ask stays', () => {
    const log = asked()
    expect(step(log, 'stop')).toMatchObject({ row: 'rest', facts: [{ type: 'run.ended', outcome: 'asked' }] })
  })

  test('another call resets the ladder', () => {
    const log = nudged()
    turn(log, 'b', 'other')
    expect(log.state.branch.loop).toEqual({ rung: 0, at: 0, repeated: [] })
    for (let i = 0; i < 2; i++) turn(log, 'a', 'r')
    expect(hit(log)).toBe(false)
  })

  test('a skipped call followed by another one resets the ladder', () => {
    const log = skipped()
    turn(log, 'b', 'other')
    expect(log.state.branch.loop.rung).toBe(0)
    log.reply([callOf(`r${n++}`, 'Read', { input: 'a' })])
    expect(step(log).row).toBe('judge')
  })
})
