// Every row of `next`, by its name, on the smallest state in which it holds. Long because there are many rows.
import type { Draft } from '@tenon/protocol'
import { callOf, type Given, given, sha256 } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { next } from './next.ts'
import type { Answerer, Step } from './step.ts'

const step = ({ state, now }: Given, answerer: Answerer = 'some', at = now): Step =>
  next(state, { now: at, answerer, hash: sha256, version: '9' })

/** A step in short: row, types of the facts, keys' kinds of the effects. */
const short = ({ row, facts, effects }: Step) => ({
  row,
  facts: facts.map(({ type }) => type),
  effects: effects.map(({ type }) => type),
})
const texts = (facts: readonly Draft[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === 'message.added' ? fact.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
const results = (facts: readonly Draft[]) =>
  facts.flatMap((fact) =>
    fact.type === 'tool.finished'
      ? [
          [
            fact.ref.call,
            fact.status,
            fact.content.flatMap((part) => (part.type === 'error' ? [part.code] : [])).join(),
          ],
        ]
      : [],
  )

/** A run with a person's message delivered. */
const running = (config: Parameters<typeof given>[0] = {}): Given => {
  const log = given(config)
  log.run('go')
  return log
}
/** … and a reply with these calls in. */
const called = (...calls: Parameters<Given['reply']>[0]): Given => {
  const log = running()
  log.reply(calls)
  return log
}
const x = callOf('x', 'Read')
const y = callOf('y', 'Edit')
const stop = (log: Given, how: 'interrupt' | 'pause') =>
  log.add({ type: 'run.stopping', by: 'person', run: log.state.run?.id ?? 'ev_none', how })

describe('wake', () => {
  test('wake: without a wish it rests', () => {
    expect(step(given())).toEqual({ row: 'wake', facts: [], effects: [] })
  })

  test('wake: the oldest unspent wish starts a run, with the limits as granted', () => {
    const log = given({ 'limits.turns': 3 })
    const [wish] = log.add({ type: 'run.requested', by: 'person', reason: 'run' })
    expect(step(log)).toEqual({
      row: 'wake',
      facts: [
        {
          type: 'run.started',
          by: 'harness',
          cause: wish?.id,
          request: wish?.id,
          version: '9',
          limits: { turns: 3 },
        },
      ],
      effects: [],
    })
  })

  test.each([
    [
      'its message was withdrawn',
      (log: Given) =>
        log.add({
          type: 'message.withdrawn',
          by: 'person',
          queued: log.state.queue[0]?.id ?? 'ev_none',
          reason: 'person',
        }),
    ],
    [
      'it was stopped',
      (log: Given) =>
        log.add({
          type: 'run.stopping',
          by: 'person',
          request: log.state.requests[0]?.id ?? 'ev_none',
          how: 'interrupt',
        }),
    ],
  ] as const)('wake: a wish is spent when %s', (_name, spend) => {
    const log = given()
    log.add(
      { type: 'message.queued', by: 'person', parts: [{ type: 'text', text: 'a' }], delivery: 'steer' },
      { type: 'run.requested', by: 'person', reason: 'send', queued: 'ev_@0' },
    )
    spend(log)
    expect(step(log)).toEqual({ row: 'wake', facts: [], effects: [] })
  })
})

describe('orders', () => {
  test('interrupt: while something runs nothing is kept, so that it is aborted', () => {
    const log = called(x)
    log.judge('x')
    log.start('x')
    stop(log, 'interrupt')
    expect(step(log)).toEqual({ row: 'interrupt', facts: [], effects: [] })
  })

  test('interrupt: then what never ran is closed, asks with it, and the run ends', () => {
    const log = called(x, y)
    log.judge('x')
    const ref = log.call('y').ref
    log.judge('y', { verdict: 'ask' })
    log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    stop(log, 'interrupt')
    const { row, facts, effects } = step(log)
    expect([row, effects, facts.map(({ type }) => type)]).toEqual([
      'interrupt',
      [],
      ['ask.closed', 'tool.finished', 'tool.finished', 'run.ended'],
    ])
    expect(results(facts)).toEqual([
      ['x', 'cancelled', 'cancelled'],
      ['y', 'cancelled', 'cancelled'],
    ])
    expect(facts.at(-1)).toMatchObject({ outcome: 'interrupted', row: 'interrupt', turns: 1 })
  })

  test('pause: what runs comes in, nothing starts', () => {
    const log = called(x, y)
    log.judge('x')
    log.start('x')
    log.judge('y')
    stop(log, 'pause')
    expect(short(step(log))).toEqual({ row: 'pause', facts: [], effects: ['tool'] })
  })

  test('pause: then the run ends; unstarted calls stay', () => {
    const log = called(x)
    log.judge('x')
    stop(log, 'pause')
    const { row, facts } = step(log)
    expect([row, facts]).toMatchObject(['pause', [{ type: 'run.ended', outcome: 'paused', row: 'pause' }]])
    expect(facts).toHaveLength(1)
  })

  test('steer: running calls finish, the rest is skipped', () => {
    const log = called(x, y)
    log.judge('x')
    log.start('x')
    log.queue('other way')
    const { row, facts, effects } = step(log)
    expect([row, results(facts), effects.map(({ type }) => type)]).toEqual([
      'steer',
      [['y', 'cancelled', 'cancelled']],
      ['tool'],
    ])
    log.add(...facts)
    expect(short(step(log))).toEqual({ row: 'steer', facts: [], effects: ['tool'] })
  })

  test('steer: a queued message does not skip calls', () => {
    const log = called(x)
    log.queue('later', 'queue')
    expect(short(step(log))).toEqual({ row: 'judge', facts: [], effects: ['judge'] })
  })
})

describe('batch', () => {
  const bad = callOf('bad', 'Read', {}, { invalid: { code: 'args_not_json', message: 'no' } })
  const finish = callOf('f', 'Finish')

  test('close: an invalid call gets its error and its sibling goes on', () => {
    const log = called(bad, x)
    const { row, facts } = step(log)
    expect([row, results(facts)]).toEqual(['close', [['bad', 'error', 'args_not_json']]])
    log.add(...facts)
    expect(short(step(log))).toEqual({ row: 'judge', facts: [], effects: ['judge'] })
  })

  test('close: what stands behind the call that finishes the work is cancelled', () => {
    const { row, facts } = step(called(x, finish, y))
    expect([row, results(facts)]).toEqual(['close', [['y', 'cancelled', 'cancelled']]])
  })

  test('close: calls of a wind-down reply are cancelled', () => {
    const log = running()
    log.add({
      type: 'message.added',
      by: 'harness',
      role: 'harness',
      kind: 'windDown',
      parts: [{ type: 'text', text: 'end' }],
    })
    log.reply(['bye', x])
    const { row, facts } = step(log)
    expect([row, results(facts)]).toEqual(['close', [['x', 'cancelled', 'cancelled']]])
  })

  test('judge: all unjudged calls at once, each under its own key', () => {
    const { row, facts, effects } = step(called(x, y))
    expect([row, facts, effects.map(({ type, key, begun }) => [type, key.replace(/ev_\w+/, 'M'), begun])]).toEqual([
      'judge',
      [],
      [
        ['judge', 'judge:M:x:0:false', false],
        ['judge', 'judge:M:y:0:false', false],
      ],
    ])
  })

  test('judge: a verdict that is older than the rules is given again before the call may start', () => {
    const log = called(x)
    log.judge('x')
    log.add({
      type: 'session.configured',
      by: 'person',
      set: { 'permissions.deny': ['Read'] },
      was: {},
      source: 'person',
    })
    expect(short(step(log))).toEqual({ row: 'judge', facts: [], effects: ['judge'] })
  })

  test('start: an allowed call starts; its effect follows from the log', () => {
    const log = called(x)
    log.judge('x', { input: { final: 1 }, inputHash: 'h2', repairs: ['r'], timeoutMs: 7 })
    const first = step(log)
    expect(first).toEqual({
      row: 'start',
      facts: [
        {
          type: 'tool.started',
          by: 'harness',
          ref: log.call('x').ref,
          input: { final: 1 },
          inputHash: 'h2',
          wire: { name: 'read' },
          repairs: ['r'],
          resources: [],
          timeoutMs: 7,
          secrets: [],
        },
      ],
      effects: [],
    })
    log.add(...first.facts)
    expect(short(step(log))).toEqual({ row: 'rest', facts: [], effects: ['tool'] })
  })

  test('start: never more than limits.parallelTools', () => {
    const log = running({ 'limits.parallelTools': 2 })
    log.reply(['a', 'b', 'c', 'd'].map((id) => callOf(id, 'Read')))
    for (const id of ['a', 'b', 'c', 'd']) log.judge(id)
    const { facts } = step(log)
    expect(facts.map((fact) => fact.type === 'tool.started' && fact.ref.call)).toEqual(['a', 'b'])
    log.add(...facts)
    expect(step(log).facts).toEqual([])
    log.finish('b')
    expect(step(log).facts.map((fact) => fact.type === 'tool.started' && fact.ref.call)).toEqual(['c'])
  })

  test('start: a question and a pure tool are resolved and have no start', () => {
    const log = called(callOf('q', 'AskUserQuestion'))
    log.judge('q', { kind: 'ask' })
    expect(step(log)).toMatchObject({ row: 'start', facts: [], effects: [{ type: 'resolve', begun: false }] })
  })

  test('start: the finishing call waits for those before it', () => {
    const log = called(x, finish)
    log.judge('x')
    log.judge('f', { kind: 'emit' })
    expect(short(step(log))).toEqual({ row: 'start', facts: ['tool.started'], effects: [] })
    log.start('x')
    expect(short(step(log))).toEqual({ row: 'rest', facts: [], effects: ['tool'] })
    log.finish('x')
    expect(short(step(log))).toEqual({ row: 'start', facts: [], effects: ['resolve'] })
  })

  const asked = (): Given => {
    const log = called(x)
    log.judge('x', { verdict: 'ask' })
    const { ref } = log.call('x')
    log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: 'x needs approval.',
      detail: '',
      options: [],
      rules: [],
      expiresAt: 90_000,
    })
    return log
  }

  test('rest: an ask that somebody can answer is waited for, until it expires', () => {
    expect(step(asked())).toEqual({ row: 'rest', facts: [], effects: [], until: 90_000 })
  })

  test.each([
    ['nobody is here', 'none', 1_000],
    ['it expires', 'some', 90_000],
  ] as const)('rest: when %s an ask means deny', (_name, answerer, at) => {
    const { row, facts } = step(asked(), answerer, at)
    expect([row, facts]).toMatchObject([
      'rest',
      [
        { type: 'ask.closed', how: 'expired' },
        { type: 'tool.judged', verdict: 'deny', decidedBy: { stage: 'noAnswerer' } },
        { type: 'tool.finished', status: 'denied' },
      ],
    ])
  })

  test('rest: with --on-ask stop the run ends asked and the ask stays open', () => {
    const { row, facts } = step(asked(), 'stop')
    expect([row, facts]).toMatchObject(['rest', [{ type: 'run.ended', outcome: 'asked', row: 'rest' }]])
    expect(facts).toHaveLength(1)
  })

  test('rest: with --on-ask stop a sibling that runs is waited for first', () => {
    const log = called(x, y)
    log.judge('y')
    log.start('y')
    log.judge('x', { verdict: 'ask' })
    const { ref } = log.call('x')
    log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    expect(short(step(log, 'stop'))).toEqual({ row: 'rest', facts: [], effects: ['tool'] })
  })

  test('rest: a question without anybody gets ask_none', () => {
    const log = called(callOf('q', 'AskUserQuestion'))
    log.judge('q', { kind: 'ask' })
    const { ref } = log.call('q')
    log.add({ type: 'ask.opened', by: 'agent', kind: 'question', ref, title: '', detail: '', options: [], rules: [] })
    expect(results(step(log, 'none').facts)).toEqual([['q', 'error', 'ask_none']])
  })
})

test('attempt: while one is open nothing that follows it is decided', () => {
  const log = running()
  log.attempt()
  log.queue('more')
  const [attempt] = log.state.attempts
  expect(step(log)).toEqual({
    row: 'attempt',
    facts: [],
    effects: [{ type: 'model', key: `model:${attempt?.id}`, begun: true, attempt }],
  })
})

describe('owed', () => {
  test('prepare: a context for another model or build is gathered before anything is delivered', () => {
    const log = given({ model: 'sim/b' })
    log.queue('hello')
    log.run()
    const { row, facts, effects } = step(log)
    expect([row, facts, effects]).toEqual([
      'prepare',
      [],
      [
        {
          type: 'gather',
          key: `gather:${log.state.run?.id}:${log.state.anchor}:sim/b:b1`,
          begun: false,
          reason: 'model or build changed',
        },
      ],
    ])
    log.add({ type: 'effect.ended', by: 'harness', key: effects[0]?.key ?? '' })
    // The old context is better than none.
    expect(step(log).row).toBe('deliver')
  })

  test('deliver: every steer that waits, in the order of the log, at the boundary', () => {
    const log = running()
    log.queue('one')
    log.queue('later', 'queue')
    log.queue('two')
    const { row, facts } = step(log)
    expect([row, texts(facts)]).toEqual(['deliver', ['one', 'two']])
    expect(facts).toMatchObject([{ role: 'user', queued: log.state.queue[0]?.id }, { queued: log.state.queue[2]?.id }])
  })

  test('deliver: a person’s own call opens a batch; what was sent after it waits for its end and does not skip it', () => {
    const log = running()
    log.queue('before')
    const own = callOf('p', 'Bash')
    log.add({ type: 'message.queued', by: 'person', parts: [own], delivery: 'steer' })
    log.queue('after')
    const first = step(log)
    expect([first.row, first.facts]).toMatchObject(['deliver', [{ parts: [{ text: 'before' }] }, { parts: [own] }]])
    expect(first.facts).toHaveLength(2)
    log.add(...first.facts)
    expect(short(step(log))).toEqual({ row: 'judge', facts: [], effects: ['judge'] })
    log.done('p')
    expect([step(log).row, texts(step(log).facts)]).toEqual(['deliver', ['after']])
  })

  const windDown = (log: Given) =>
    log.add({
      type: 'message.added',
      by: 'harness',
      role: 'harness',
      kind: 'windDown',
      parts: [{ type: 'text', text: 'end' }],
    })

  test('wound down: after the wind-down reply the run ends with its limit', () => {
    const log = running({ 'limits.turns': 1 })
    log.reply([x])
    log.done('x')
    windDown(log)
    log.reply(['bye'])
    expect(step(log)).toMatchObject({
      row: 'wound down',
      facts: [{ type: 'run.ended', outcome: 'limit', limit: 'turns' }],
    })
  })

  test('wound down: a wind-down reply that fails for good ends the run at its limit, not as failed', () => {
    const log = running({ 'limits.turns': 1 })
    log.reply([x])
    log.done('x')
    windDown(log)
    log.attempt()
    const [attempt] = log.state.attempts
    log.add({
      type: 'model.failed',
      by: 'harness',
      attempt: attempt?.id ?? 'ev_none',
      purpose: 'act',
      roll: 0,
      failure: { code: 'model_failed', class: 'bad_request', message: 'no', action: '', retryable: false },
    })
    expect(step(log)).toMatchObject({ row: 'wound down', facts: [{ outcome: 'limit', limit: 'turns' }] })
  })

  test('wound down: `run` after it grants the limit afresh', () => {
    const log = running({ 'limits.turns': 1 })
    log.reply([x])
    log.done('x')
    windDown(log)
    log.reply(['bye'])
    log.add(...step(log).facts)
    log.queue('more', 'queue')
    log.run()
    expect(step(log)).toMatchObject({ row: 'queued', facts: [{ type: 'message.added' }] })
  })

  test('mend: a reply that was cut goes on, at most three times in a row', () => {
    const log = running()
    const rows: string[] = []
    for (let i = 0; i < 4; i++) {
      log.reply(['part'], { finish: 'length' })
      const { row, facts } = step(log)
      rows.push(row)
      if (row === 'mend') log.add(...facts)
      else expect(facts).toMatchObject([{ outcome: 'done' }])
    }
    expect(rows).toEqual(['mend', 'mend', 'mend', 'done'])
  })

  test('mend: an empty reply is nudged', () => {
    const log = running()
    log.reply([' '])
    expect([step(log).row, texts(step(log).facts)]).toEqual([
      'mend',
      ['Your reply was empty. Call a tool, or answer the user in words.'],
    ])
  })

  test('mend: a refusal is rephrased once, the second ends the run refused', () => {
    const log = running()
    log.reply(['no'], { finish: 'refused' })
    const { facts } = step(log)
    expect(texts(facts)).toHaveLength(1)
    log.add(...facts)
    log.reply(['no'], { finish: 'refused' })
    expect(step(log)).toMatchObject({ row: 'mend', facts: [{ type: 'run.ended', outcome: 'refused' }] })
  })

  test('queued: one queued message a turn, the oldest, before done', () => {
    const log = running()
    log.queue('first', 'queue')
    log.queue('second', 'queue')
    log.reply(['done'])
    const { row, facts } = step(log)
    expect([row, texts(facts)]).toEqual(['queued', ['first']])
  })

  const todos = (log: Given, status: 'pending' | 'completed') =>
    log.add({ type: 'todos.changed', by: 'agent', todos: [{ id: '1', content: 'test it', activeForm: 't', status }] })

  test('unfinished: open todos are named, at most twice', () => {
    const log = running()
    todos(log, 'pending')
    const rows: string[] = []
    for (let i = 0; i < 3; i++) {
      log.reply(['all good'])
      const { row, facts } = step(log)
      rows.push(row)
      if (row === 'unfinished') expect(texts(facts)).toEqual([expect.stringContaining('- test it')])
      log.add(...facts)
    }
    expect(rows).toEqual(['unfinished', 'unfinished', 'done'])
  })

  test('unfinished: completed todos and a finishing tool need no nudge', () => {
    const log = running()
    todos(log, 'completed')
    log.reply(['all good'])
    expect(step(log).row).toBe('done')
    const other = running()
    todos(other, 'pending')
    other.reply([finishCall])
    other.judge('f', { kind: 'emit' })
    other.finish('f', 'ok', { unstarted: 'emit', structured: { outcome: 'partial' } })
    expect(step(other)).toMatchObject({ row: 'done', facts: [{ outcome: 'done', finish: 'partial' }] })
  })

  const edited = (log: Given) => {
    log.reply([y])
    log.judge('y')
    log.start('y')
    log.add(
      {
        type: 'file.changed',
        by: 'tool',
        ref: log.call('y').ref,
        path: '/w/a',
        operation: 'edit',
        encoding: 'utf-8',
        eol: 'lf',
        added: 1,
        removed: 0,
      },
      {
        type: 'tool.finished',
        by: 'tool',
        ref: log.call('y').ref,
        status: 'ok',
        content: [],
        shown: 0,
        total: 0,
        ms: 0,
      },
    )
    log.reply(['done'])
  }

  test('unfinished: a change that nothing was run after is named once; checks.verify turns it off', () => {
    const log = running({ 'checks.verify': true })
    edited(log)
    const { row, facts } = step(log)
    expect([row, texts(facts)]).toEqual(['unfinished', [expect.stringContaining('nothing was run since')]])
    log.add(...facts)
    log.reply(['it needs no check'])
    expect(step(log).row).toBe('done')
    const off = running({ 'checks.verify': false })
    edited(off)
    expect(step(off).row).toBe('done')
  })

  test('done: nothing is owed, nothing waits', () => {
    const log = running()
    log.wait(500)
    log.reply(['hello'], { usage: { input: 10, output: 2 }, nanoUsd: 30 })
    const { row, facts, effects } = step(log)
    expect([row, effects, facts]).toEqual([
      'done',
      [],
      [
        {
          type: 'run.ended',
          by: 'harness',
          run: log.state.run?.id,
          row: 'done',
          outcome: 'done',
          turns: 1,
          ms: 500,
          usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
          cost: { nanoUsd: 30, source: 'catalogue' },
          final: log.state.branch.reply?.id,
          denials: [],
        },
      ],
    ])
  })

  test('done: a reply of unknown price makes the cost of the run unknown, never 0', () => {
    const log = running()
    log.reply(['hello'], { nanoUsd: null })
    expect(step(log).facts).toMatchObject([{ cost: { nanoUsd: null, source: 'unknown' } }])
  })

  test('K: a result alone never ends a run as done', () => {
    const log = called(x)
    log.done('x')
    expect(short(step(log))).toEqual({ row: 'act', facts: ['model.started'], effects: [] })
  })
})

const finishCall = callOf('f', 'Finish')

describe('pay', () => {
  const spend = (log: Given, tokens: number) => {
    log.reply([x], { usage: { input: tokens } })
    log.done('x')
  }

  test('budget: at 80 % it is told once', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 80)
    const { row, facts } = step(log)
    expect([row, facts]).toMatchObject(['budget', [{ type: 'context.added', kind: 'reminder', reason: 'limit' }]])
    log.add(...facts)
    expect(step(log).row).toBe('act')
  })

  test('budget: just below 80 % it is not', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 79)
    expect(step(log).row).toBe('act')
  })

  test('budget: when it is spent somebody is asked, and waited for', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 100)
    const { row, facts } = step(log)
    expect([row, facts]).toMatchObject(['budget', [{ type: 'ask.opened', kind: 'budget' }]])
    log.add(...facts)
    expect(step(log)).toEqual({ row: 'rest', facts: [], effects: [] })
  })

  test('budget: with nobody here the model winds down, then the run ends limit', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 100)
    const { row, facts } = step(log, 'none')
    expect([row, facts]).toMatchObject(['budget', [{ type: 'message.added', kind: 'windDown' }]])
    log.add(...facts)
    expect(step(log, 'none')).toMatchObject({ row: 'act', facts: [{ type: 'model.started', windDown: true }] })
    log.reply(['bye'])
    expect(step(log, 'none')).toMatchObject({ row: 'wound down', facts: [{ outcome: 'limit', limit: 'tokens' }] })
  })

  test('budget, 44: already spent when the run starts: limit, without a wind-down and without a call of the model', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 100)
    log.add(...step(log, 'none').facts)
    log.reply(['bye'])
    log.add(...step(log, 'none').facts)
    expect(log.state.last?.outcome).toBe('limit')
    log.run('again')
    expect(step(log, 'none')).toMatchObject({
      row: 'budget',
      facts: [{ type: 'run.ended', outcome: 'limit', limit: 'tokens', turns: 0 }],
    })
  })

  const answered = (option: string, more: object = {}): Given => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 100)
    log.add(...step(log).facts)
    const ask = log.state.asks[0]?.id ?? 'ev_none'
    log.add({ type: 'ask.closed', by: 'person', ask, how: 'answered', answer: { options: [option], ...more } })
    return log
  }

  test.each([
    ['once', { row: 'act', facts: [{ type: 'model.started' }] }],
    ['stop', { row: 'budget', facts: [{ type: 'run.ended', outcome: 'limit', limit: 'tokens' }] }],
    ['wind-down', { row: 'budget', facts: [{ type: 'message.added', kind: 'windDown' }] }],
  ])('budget: the answer %s', (option, expected) => {
    expect(step(answered(option))).toMatchObject(expected)
  })

  test('budget: after "once" the next reply is asked for again', () => {
    const log = answered('once')
    log.reply([y])
    log.done('y')
    expect(step(log)).toMatchObject({ row: 'budget', facts: [{ type: 'ask.opened' }] })
  })

  test('budget: an ask is taken back when the limit no longer holds', () => {
    const log = running({ 'limits.tokens': 100 })
    spend(log, 100)
    log.add(...step(log).facts)
    log.add({ type: 'session.configured', by: 'person', set: { 'limits.tokens': 500 }, was: {}, source: 'person' })
    expect(step(log)).toMatchObject({ row: 'budget', facts: [{ type: 'ask.closed', how: 'cancelled' }] })
  })

  test('turns: reached, the last reply winds down; a reply that says done on the last turn needs none', () => {
    const log = running({ 'limits.turns': 1 })
    log.reply([x])
    log.done('x')
    expect(step(log)).toMatchObject({ row: 'turns', facts: [{ kind: 'windDown' }] })
    const done = running({ 'limits.turns': 1 })
    done.reply(['that was it'])
    expect(step(done).row).toBe('done')
  })

  test('minutes: time spent waiting for answers does not count', () => {
    const log = running({ 'limits.minutes': 1 })
    log.reply([x])
    log.judge('x', { verdict: 'ask' })
    const { ref } = log.call('x')
    const [ask] = log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    log.wait(10 * 60_000)
    log.add({
      type: 'ask.closed',
      by: 'person',
      ask: ask?.id ?? 'ev_none',
      how: 'answered',
      answer: { options: ['allow'] },
    })
    log.judge('x')
    log.start('x')
    log.finish('x')
    expect(step(log).row).toBe('act')
    log.wait(60_000)
    expect(step(log)).toMatchObject({ row: 'budget', facts: [{ type: 'ask.opened', kind: 'budget' }] })
  })

  const failed = (log: Given, failureClass: 'server' | 'auth' | 'content_policy', roll = 0) => {
    if (log.state.attempts.length === 0) log.attempt()
    log.add({
      type: 'model.failed',
      by: 'harness',
      attempt: log.state.attempts[0]?.id ?? 'ev_none',
      purpose: 'act',
      roll,
      failure: { code: 'model_failed', class: failureClass, message: 'no', action: '', retryable: false },
    })
  }

  test('retry: rests until the next try is due, then acts again with the next number', () => {
    const log = running()
    failed(log, 'server')
    expect(step(log)).toEqual({ row: 'retry', facts: [], effects: [], until: log.now + 750 })
    expect(step(log, 'some', log.now + 749).row).toBe('retry')
    expect(step(log, 'some', log.now + 750)).toMatchObject({ row: 'act', facts: [{ type: 'model.started', try: 1 }] })
  })

  test.each([
    ['auth', 'failed'],
    ['content_policy', 'refused'],
  ] as const)('retry: %s ends the run %s at once', (failureClass, outcome) => {
    const log = running()
    failed(log, failureClass)
    expect(step(log)).toMatchObject({
      row: 'retry',
      facts: [{ type: 'run.ended', outcome, failure: { class: failureClass, message: 'no' } }],
    })
  })

  test('retry: an answer resets what was counted', () => {
    const log = running()
    failed(log, 'server')
    log.reply([x])
    log.done('x')
    expect(log.state.failures).toBeNull()
    expect(step(log)).toMatchObject({ row: 'act', facts: [{ try: 0 }] })
  })
})

describe('act', () => {
  test('act: something is owed and may be paid for', () => {
    const log = running()
    const { row, facts, effects } = step(log)
    expect([row, effects, facts]).toMatchObject([
      'act',
      [],
      [
        {
          type: 'model.started',
          purpose: 'act',
          model: 'sim/a',
          provider: 'sim',
          head: log.state.head?.id,
          contextSet: log.state.branch.set?.id,
          messages: 1,
          try: 0,
        },
      ],
    ])
  })

  test('act: the wind-down reply is asked for without tools, so its hash differs', () => {
    const log = running()
    const plain = step(log).facts
    log.add({
      type: 'message.added',
      by: 'harness',
      role: 'harness',
      kind: 'windDown',
      parts: [{ type: 'text', text: 'end' }],
    })
    const last = step(log).facts
    expect([plain, last]).toMatchObject([[{ messages: 1 }], [{ messages: 1, windDown: true }]])
    expect(plain[0]).not.toHaveProperty('windDown')
  })
})
