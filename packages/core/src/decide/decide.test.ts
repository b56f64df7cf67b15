// decide: what each command leads to, and every refusal with its code and next step. Long because there are many commands.

import { emptyRun } from '@tenon/projections'
import { type Command, type Draft, type Event, type EventId, place } from '@tenon/protocol'
import { callOf, type Given, given } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'

const host = { session: 'ses_grown', build: 'b1', os: 'sim', version: '0' } as const
const outcome = (log: Given, command: Command): readonly Draft[] | string => {
  const decision = decide(log.state, command, host)
  return 'events' in decision ? decision.events : decision.refusal.code
}
const text = (value: string) => ({ type: 'text', text: value }) as const
const say = (value: string, more: object = {}): Command => ({ command: 'send', parts: [text(value)], ...more })

const asked = (kind: 'permission' | 'question' | 'budget' | 'loop', more: object = {}) => {
  const log = given()
  log.run('go')
  const withCall = kind === 'permission' || kind === 'question'
  if (withCall) {
    log.reply([callOf('x', 'Edit', { file: 'a' }), callOf('y', 'Edit')])
    log.judge('x', { verdict: 'ask', inputHash: 'hx', timeoutMs: 9 })
  }
  const options = {
    permission: ['allow', 'deny'],
    question: [],
    budget: ['raise', 'once', 'wind-down', 'stop'],
    loop: ['allow', 'advise', 'stop'],
  }
  const [ask] = log.add({
    type: 'ask.opened',
    by: 'harness',
    kind,
    title: 't',
    detail: '',
    options: options[kind].map((id) => ({ id, label: id, effect: '' })),
    rules: [],
    ...(withCall && { ref: log.call('x').ref }),
    ...(kind === 'question' && {
      questions: [
        { question: 'A?', header: 'A', options: [], multiSelect: false },
        { question: 'B?', header: 'B', options: [], multiSelect: true },
      ],
    }),
    ...more,
  })
  return { log, ask: ask?.id ?? ('ev_none' as EventId) }
}
const types = (drafts: readonly Draft[] | string) =>
  typeof drafts === 'string' ? drafts : drafts.map(({ type }) => type)

describe('an empty log', () => {
  const commands: Command[] = [
    say('hi'),
    { command: 'withdraw', queued: 'ev_1' },
    { command: 'answer', ask: 'ev_1', options: [] },
    { command: 'run' },
    { command: 'pause' },
    { command: 'interrupt' },
    { command: 'configure', set: {} },
    { command: 'move', undo: 1 },
    { command: 'close' },
  ]
  test.each(commands.map((command) => [command.command, command] as const))('41: refuses %s', (_name, command) => {
    expect(decide(emptyRun, command, host)).toMatchObject({
      refusal: { code: 'not_open', action: 'Send `open` first.' },
    })
  })

  test('takes open: the session, then its settings with the limits among them', () => {
    const decision = decide(
      emptyRun,
      { command: 'open', cwd: '/w', mode: 'plan', title: 't', limits: { turns: 3 }, config: { 'checks.verify': true } },
      host,
    )
    expect(decision).toEqual({
      events: [
        {
          type: 'session.opened',
          by: 'person',
          session: 'ses_grown',
          cwd: '/w',
          project: '/w',
          title: 't',
          agent: 'default',
          model: 'demo',
          mode: 'plan',
          tags: {},
          host: { os: 'sim', version: '0' },
        },
        {
          type: 'session.configured',
          by: 'person',
          set: { 'checks.verify': true, 'limits.turns': 3, build: 'b1' },
          was: {},
          source: 'flag',
        },
      ],
    })
  })

  test('refuses a setting that is wrong', () => {
    expect(decide(emptyRun, { command: 'open', cwd: '/w', config: { 'limits.turns': 0 } }, host)).toMatchObject({
      refusal: { code: 'bad_setting', facts: { key: 'limits.turns' } },
    })
  })
})

describe('open again', () => {
  test('the same session and folder: nothing to do', () => {
    expect(outcome(given(), { command: 'open', session: 'ses_grown', cwd: '/w' })).toEqual([])
  })
  test.each([
    ['without its id', { command: 'open', cwd: '/w' }],
    ['in another folder', { command: 'open', session: 'ses_grown', cwd: '/other' }],
  ] as [string, Command][])('%s: id_taken', (_name, command) => {
    expect(outcome(given(), command)).toBe('id_taken')
  })
})

describe('send and withdraw', () => {
  test('a message and its wish are one append; auto steers', () => {
    expect(outcome(given(), say('hi'))).toEqual([
      { type: 'message.queued', by: 'person', parts: [text('hi')], delivery: 'steer' },
      { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) },
    ])
  })

  test('queue, and without a run', () => {
    expect(outcome(given(), say('hi', { delivery: 'queue', run: false }))).toEqual([
      { type: 'message.queued', by: 'person', parts: [text('hi')], delivery: 'queue' },
    ])
  })

  test.each([
    ['nothing', { command: 'send', parts: [] }],
    ['blanks', { command: 'send', parts: [text(' \n')] }],
  ] as [string, Command][])('%s: empty_message', (_name, command) => {
    expect(outcome(given(), command)).toBe('empty_message')
  })

  test('blank parts are left out of the rest', () => {
    const drafts = outcome(given(), { command: 'send', parts: [text(' '), text('hi')], run: false })
    expect(drafts).toMatchObject([{ parts: [text('hi')] }])
  })

  test('too_large: more than 100 messages, or more than 10 MiB, wait', () => {
    const full = given()
    for (let i = 0; i < 100; i++) full.queue(`${i}`, 'queue')
    expect(outcome(full, say('one more'))).toBe('too_large')
    const big = given()
    big.queue('x'.repeat(6 * 1024 * 1024), 'queue')
    expect(outcome(big, say('x'.repeat(5 * 1024 * 1024)))).toBe('too_large')
    expect(types(outcome(big, say('x'.repeat(1024))))).toEqual(['message.queued', 'run.requested'])
  })

  test('withdraw: only what waits', () => {
    const log = given()
    log.run('delivered')
    log.queue('waits')
    const [waits] = log.state.queue
    const [delivered] = log.state.delivered
    expect([
      outcome(log, { command: 'withdraw', queued: waits?.id ?? 'ev_none' }),
      outcome(log, { command: 'withdraw', queued: delivered ?? 'ev_none' }),
      outcome(log, { command: 'withdraw', queued: 'ev_none' }),
    ]).toEqual([
      [{ type: 'message.withdrawn', by: 'person', queued: waits?.id, reason: 'person' }],
      'already_delivered',
      'unknown_message',
    ])
  })
})

describe('answer', () => {
  test('allow: the ask closes, the verdict is the person’s, a run is open so none is asked for', () => {
    const { log, ask } = asked('permission')
    const { ref } = log.call('x')
    expect(outcome(log, { command: 'answer', ask, options: ['allow'], text: 'fine' })).toEqual([
      { type: 'ask.closed', by: 'person', ask, how: 'answered', answer: { options: ['allow'], text: 'fine' } },
      {
        type: 'tool.judged',
        by: 'person',
        ref,
        verdict: 'allow',
        decidedBy: { stage: 'person', id: ask },
        parts: [],
        trail: [{ stage: 'person', verdict: 'allow', id: ask }],
        reasons: ['fine'],
        inputHash: 'hx',
        input: { file: 'a' },
        repairs: [],
        kind: 'run',
        resources: [],
        timeoutMs: 9,
      },
    ])
  })

  test('allow with another input: no verdict, it is judged again as approved', () => {
    const { log, ask } = asked('permission')
    const drafts = outcome(log, { command: 'answer', ask, options: ['allow'], input: { file: 'b' } })
    expect(types(drafts)).toEqual(['ask.closed'])
    log.add(...(drafts as readonly Draft[]))
    expect(log.call('x')).toMatchObject({ state: 'unjudged', approved: true, input: { file: 'b' }, judged: null })
  })

  test('deny: the call gets its result with the text; its sibling is untouched', () => {
    const { log, ask } = asked('permission')
    const drafts = outcome(log, { command: 'answer', ask, options: ['deny'], text: 'not that file' })
    expect(drafts).toMatchObject([
      { type: 'ask.closed' },
      { type: 'tool.judged', verdict: 'deny', reasons: ['not that file'] },
      { type: 'tool.finished', status: 'denied', content: [{ message: 'The user refused this call: not that file' }] },
    ])
  })

  test('deny with stop is an interrupt in the same append', () => {
    const { log, ask } = asked('permission')
    const drafts = outcome(log, { command: 'answer', ask, options: ['deny'], stop: true })
    expect(types(drafts)).toEqual(['ask.closed', 'tool.judged', 'tool.finished', 'run.stopping'])
  })

  test('always: the rules are added to the settings, once', () => {
    const { log, ask } = asked('permission')
    log.add({
      type: 'session.configured',
      by: 'person',
      set: { 'permissions.allow': ['Read', 'Edit'] },
      was: {},
      source: 'person',
    })
    const always = { rules: ['Edit', 'Bash(ls *)'], scope: 'session' } as const
    const drafts = outcome(log, { command: 'answer', ask, options: ['allow'], always })
    expect(drafts).toMatchObject([
      { type: 'ask.closed', remember: always },
      { type: 'tool.judged' },
      {
        type: 'session.configured',
        set: { 'permissions.allow': ['Read', 'Edit', 'Bash(ls *)'] },
        was: { 'permissions.allow': ['Read', 'Edit'] },
        source: 'answer',
      },
    ])
    const denied = outcome(log, { command: 'answer', ask, options: ['deny'], always })
    expect(denied).toMatchObject([{}, {}, {}, { set: { 'permissions.deny': ['Edit', 'Bash(ls *)'] } }])
  })

  test('13: with no run open an answer asks for one', () => {
    const { log, ask } = asked('permission')
    log.add({
      type: 'run.ended',
      by: 'harness',
      run: log.state.run?.id ?? 'ev_none',
      outcome: 'asked',
      row: 'rest',
      turns: 1,
      ms: 0,
      usage: log.state.spent.usage,
      cost: { nanoUsd: 0, source: 'catalogue' },
      denials: [],
    })
    const drafts = outcome(log, { command: 'answer', ask, options: ['allow'] })
    expect(types(drafts)).toEqual(['ask.closed', 'tool.judged', 'run.requested'])
  })

  test('a question takes as many answers as it has questions', () => {
    const { log, ask } = asked('question')
    expect(outcome(log, { command: 'answer', ask, options: [], answers: [{ options: ['a'] }] })).toBe('bad_answer')
    expect(
      outcome(log, {
        command: 'answer',
        ask,
        options: [],
        answers: [{ options: ['a', 'b'], text: 'or c' }, { options: [] }],
      }),
    ).toMatchObject([
      { type: 'ask.closed' },
      {
        type: 'tool.finished',
        status: 'ok',
        unstarted: 'ask',
        content: [{ type: 'text', text: '1. a, b, or c\n2. (no answer)' }],
        structured: { answers: [{ options: ['a', 'b'], text: 'or c' }, { options: [] }] },
      },
    ])
  })

  test.each<[string, 'permission' | 'budget' | 'loop', object, unknown]>([
    ['no option', 'permission', { options: [] }, 'bad_answer'],
    ['two options', 'permission', { options: ['allow', 'deny'] }, 'bad_answer'],
    ['an option of another kind', 'permission', { options: ['raise'] }, 'bad_answer'],
    ['raise without limits', 'budget', { options: ['raise'] }, 'bad_answer'],
    ['raise to nothing', 'budget', { options: ['raise'], input: { turns: 0 } }, 'bad_answer'],
    ['raise', 'budget', { options: ['raise'], input: { tokens: 9, other: 1 } }, ['ask.closed', 'session.configured']],
    ['once', 'budget', { options: ['once'] }, ['ask.closed']],
    ['advise without words', 'loop', { options: ['advise'], text: ' ' }, 'bad_answer'],
    ['advise', 'loop', { options: ['advise'], text: 'try b' }, ['ask.closed', 'message.queued']],
    ['stop', 'loop', { options: ['stop'] }, ['ask.closed']],
  ])('%s to a %s ask', (_name, kind, answer, expected) => {
    const { log, ask } = asked(kind)
    const command = { command: 'answer', ask, ...answer } as Command
    expect(types(outcome(log, command))).toEqual(expected)
  })

  test('a closed or unknown ask: ask_closed', () => {
    const { log, ask } = asked('loop')
    log.add({ type: 'ask.closed', by: 'harness', ask, how: 'cancelled' })
    expect(outcome(log, { command: 'answer', ask, options: ['stop'] })).toBe('ask_closed')
  })
})

describe('run, pause, interrupt', () => {
  test('run: nothing waits', () => {
    expect(outcome(given(), { command: 'run' })).toBe('nothing_to_run')
  })

  test('run: something waits; limits are set in the same append', () => {
    const log = given()
    log.queue('hi', 'queue')
    expect(outcome(log, { command: 'run' })).toEqual([{ type: 'run.requested', by: 'person', reason: 'run' }])
    expect(outcome(log, { command: 'run', limits: { turns: 3 } })).toMatchObject([
      { type: 'session.configured', set: { 'limits.turns': 3 }, was: { 'limits.turns': null } },
      { type: 'run.requested' },
    ])
    log.run()
    expect(outcome(log, { command: 'run' })).toEqual([])
  })

  test.each(['pause', 'interrupt'] as const)('%s: nothing runs and nothing is asked for', (command) => {
    expect(outcome(given(), { command })).toBe('not_running')
  })

  test('42: before the run started the stop names the wish; in a run it names the run; a second one is nothing new', () => {
    const log = given()
    const [, wish] = log.add(
      { type: 'message.queued', by: 'person', parts: [text('hi')], delivery: 'steer' },
      { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) },
    ) as readonly Event[]
    expect(outcome(log, { command: 'pause' })).toEqual([
      { type: 'run.stopping', by: 'person', request: wish?.id, how: 'pause' },
    ])
    const running = given()
    running.run('go')
    const run = running.state.run?.id ?? 'ev_none'
    const stop = { type: 'run.stopping', by: 'person', run, how: 'pause' } as const
    expect(outcome(running, { command: 'pause' })).toEqual([stop])
    running.add(stop)
    expect(outcome(running, { command: 'pause' })).toEqual([])
    expect(outcome(running, { command: 'interrupt' })).toEqual([{ ...stop, how: 'interrupt' }])
    running.add({ ...stop, how: 'interrupt' })
    expect(outcome(running, { command: 'pause' })).toEqual([])
  })
})

describe('configure', () => {
  test('only what changes is stored, with what it was', () => {
    expect(outcome(given(), { command: 'configure', set: { mode: 'plan', title: null } })).toEqual([
      { type: 'session.configured', by: 'person', set: { mode: 'plan' }, was: { mode: 'default' }, source: 'person' },
    ])
    expect(outcome(given(), { command: 'configure', set: { mode: 'default' } })).toEqual([])
  })
  test.each([
    ['an unknown key', { 'limits.turn': 3 }],
    ['a wrong value', { mode: 'yolo' }],
    ['the build', { build: 'mine' }],
    ['one wrong among right ones', { mode: 'plan', title: 3 }],
  ])('%s: bad_setting', (_name, set) => {
    expect(outcome(given(), { command: 'configure', set })).toBe('bad_setting')
  })
})

describe('move', () => {
  /** Two turns: `first` is answered, `second` made two calls, of which x has its result. */
  const story = () => {
    const log = given()
    const boundary = log.state.head?.id ?? 'ev_none'
    log.run('first')
    log.reply(['one'])
    log.add({
      type: 'run.ended',
      by: 'harness',
      run: log.state.run?.id ?? 'ev_none',
      outcome: 'done',
      row: 'done',
      turns: 1,
      ms: 0,
      usage: log.state.spent.usage,
      cost: { nanoUsd: 0, source: 'catalogue' },
      denials: [],
    })
    const first = log.state.head?.id ?? 'ev_none'
    log.run('second')
    const asking = log.state.head?.id ?? 'ev_none'
    log.reply([callOf('x', 'Read'), callOf('y', 'Edit')])
    const pending = log.state.head?.id ?? 'ev_none'
    log.done('x')
    log.judge('y', { verdict: 'ask' })
    const [ask] = log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref: log.call('y').ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    log.add({
      type: 'run.ended',
      by: 'harness',
      run: log.state.run?.id ?? 'ev_none',
      outcome: 'asked',
      row: 'rest',
      turns: 1,
      ms: 0,
      usage: log.state.spent.usage,
      cost: { nanoUsd: 0, source: 'catalogue' },
      denials: [],
    })
    return { log, boundary, first, asking, pending, ask: ask?.id }
  }

  test.each([
    ['nothing', {}],
    ['two of them', { undo: 1, redo: true }],
    ['to and undo', { to: null, undo: 1 }],
  ])('takes exactly one of to, undo and redo: %s', (_name, fields) => {
    expect(outcome(story().log, { command: 'move', ...fields } as Command)).toBe('invalid')
  })

  test('45: moving away from pending calls closes them and their asks in the same append', () => {
    const { log, first, ask } = story()
    expect(outcome(log, { command: 'move', undo: 1 })).toMatchObject([
      { type: 'ask.closed', ask, how: 'cancelled' },
      {
        type: 'tool.finished',
        ref: { call: 'y' },
        status: 'cancelled',
        content: [{ message: 'Not run: moved away.' }],
      },
      { type: 'head.moved', to: first, was: place(1), reason: 'undo' },
    ])
  })

  test('undo of two turns goes before the first; of three there are not so many', () => {
    const { log, boundary } = story()
    expect(outcome(log, { command: 'move', undo: 2 })).toMatchObject([{}, {}, { to: boundary, reason: 'undo' }])
    expect(outcome(log, { command: 'move', undo: 3 })).toBe('nothing_to_undo')
  })

  test('redo comes back to a boundary with what was closed, until the next branch event', () => {
    const { log } = story()
    log.add(...(outcome(log, { command: 'move', undo: 1 }) as readonly Draft[]))
    const redo = outcome(log, { command: 'move', redo: true })
    expect(redo).toMatchObject([{ type: 'head.moved', reason: 'redo' }])
    log.add({ type: 'todos.changed', by: 'agent', todos: [] })
    expect(outcome(log, { command: 'move', redo: true })).toBe('nothing_to_redo')
  })

  test('46: an event on which calls are pending is no boundary; the next good points are named', () => {
    const { log, asking, pending } = story()
    expect(decide(log.state, { command: 'move', to: pending }, host)).toMatchObject({
      refusal: { code: 'not_a_boundary', facts: { before: asking, after: null }, action: `Move to ${asking} instead.` },
    })
    log.add(...(outcome(log, { command: 'move', to: asking }) as readonly Draft[]))
    log.add({ type: 'todos.changed', by: 'agent', todos: [] })
    expect(outcome(log, { command: 'move', to: asking })).toMatchObject([
      { type: 'head.moved', to: asking, reason: 'move' },
    ])
  })

  test('to an unknown event, to a ledger event', () => {
    const { log, ask } = story()
    expect([
      outcome(log, { command: 'move', to: 'ev_nowhere' }),
      outcome(log, { command: 'move', to: ask ?? 'ev_none' }),
    ]).toEqual(['unknown_event', 'unknown_event'])
  })

  test('to null leaves everything, and says where it was', () => {
    const { log } = story()
    expect(outcome(log, { command: 'move', to: null })).toMatchObject([
      {},
      {},
      { type: 'head.moved', to: null, reason: 'move' },
    ])
  })

  test('busy while a run is open or asked for', () => {
    const { log } = story()
    log.add({ type: 'run.requested', by: 'person', reason: 'run' })
    expect(outcome(log, { command: 'move', undo: 1 })).toBe('busy')
  })

  test('to where HEAD is: nothing', () => {
    const log = given()
    expect(outcome(log, { command: 'move', to: log.state.head?.id ?? null })).toEqual([])
  })
})
