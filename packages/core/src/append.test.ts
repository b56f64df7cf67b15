// Append: what it stamps, and what it refuses without a trace.
import { createFold, emptyRun } from '@tenon/projections'
import { type CallRef, createIdGenerator, type Draft, fresh, place, TenonError } from '@tenon/protocol'
import { callOf, type Given, given, growKinds, growLog, sha256, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendGroup } from './append.ts'

const seed = 20_260_728
const stampsOf = () => {
  let n = 0
  return { now: () => 5_000, ids: () => `${n++}`.padStart(26, '0'), fold: createFold(sha256) }
}
const queued: Draft = { type: 'message.queued', by: 'person', parts: [], delivery: 'steer' }

describe('stamps', () => {
  test('seq goes on, ids are new, time is the clock, ledger events have no parent', () => {
    const { state } = given()
    const { events } = appendGroup(state, [queued], stampsOf())
    expect(events).toEqual([{ v: 1, seq: state.seq + 1, id: `ev_${'0'.repeat(26)}`, at: 5_000, ...queued }])
  })

  test('branch events hang on HEAD one below the other; all but the last of a group say that more follows', () => {
    const { state } = given()
    const todos: Draft = { type: 'todos.changed', by: 'agent', todos: [] }
    const { events, state: after } = appendGroup(state, [todos, queued, todos, todos, queued], stampsOf())
    const [first, , second, third] = events
    expect(events.map(({ parent, more }) => [parent, more])).toEqual([
      [state.head?.id, true],
      [undefined, undefined],
      [first?.id, true],
      [second?.id, undefined],
      [undefined, undefined],
    ])
    expect(after.head).toMatchObject({ id: third?.id, parent: { id: second?.id, branch: null } })
    expect(after.head?.branch).not.toBeNull()
  })

  test('drafts of a group name each other by their place; a reserved id is made by append', () => {
    const log = given()
    const request: Draft = { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) }
    const { events } = appendGroup(log.state, [queued, request], stampsOf())
    expect(events[1]).toMatchObject({ queued: events[0]?.id })
    log.attempt({ message: fresh })
    const [attempt] = log.state.attempts
    expect(attempt?.message).toMatch(/^ev_[0-9a-z]{26}$/)
    expect(attempt?.message).not.toBe(attempt?.id)
    log.reply(['hello'])
    expect(log.state.branch.reply?.id).toBe(attempt?.message)
  })

  test('an empty group changes nothing', () => {
    const { state } = given()
    expect(appendGroup(state, [], stampsOf())).toEqual({ events: [], state })
  })
})

const refused = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error instanceof TenonError ? [error.code, error.facts.problem] : error
  }
  return 'taken'
}

const finished = (ref: CallRef, more: object = {}): Draft => ({
  type: 'tool.finished',
  by: 'tool',
  ref,
  status: 'ok',
  content: [],
  shown: 0,
  total: 0,
  ms: 0,
  ...more,
})
const started = (ref: CallRef): Draft => ({
  type: 'tool.started',
  by: 'harness',
  ref,
  input: {},
  inputHash: '',
  wire: { name: ref.tool },
  repairs: [],
  resources: [],
  timeoutMs: 1,
  secrets: [],
})
const judged = (ref: CallRef): Draft => ({
  type: 'tool.judged',
  by: 'harness',
  ref,
  verdict: 'allow',
  decidedBy: { stage: 'mode', id: 'x' },
  parts: [],
  trail: [],
  reasons: [],
  inputHash: '',
  input: {},
  repairs: [],
  kind: 'run',
  resources: [],
  timeoutMs: 1,
})

/** Two calls: x runs, y waits. */
function two(): { log: Given; x: CallRef; y: CallRef } {
  const log = given()
  log.run('go')
  log.reply([callOf('x', 'Read'), callOf('y', 'Edit')])
  log.judge('x')
  log.start('x')
  return { log, x: log.call('x').ref, y: log.call('y').ref }
}

describe('C: what append refuses', () => {
  test.each<[string, (refs: { x: CallRef; y: CallRef }) => Draft[], string]>([
    [
      'an unknown message',
      ({ x }) => [finished({ ...x, message: 'ev_other' })],
      'unknown message, or all its calls have results',
    ],
    ['a wrong call', ({ x }) => [finished({ ...x, call: 'z' })], 'wrong call'],
    ['a wrong tool', ({ x }) => [finished({ ...x, tool: 'Edit' })], 'wrong tool'],
    ["a sibling's tool", ({ x, y }) => [finished({ ...x, tool: y.tool })], 'wrong tool'],
    ['a start for a wrong tool', ({ y }) => [started({ ...y, tool: 'Read' })], 'wrong tool'],
    ['a verdict for a wrong call', ({ y }) => [judged({ ...y, call: 'z' })], 'wrong call'],
    ['a second start', ({ x }) => [started(x)], 'second start'],
    ['a second result in the same group', ({ x }) => [finished(x), finished(x)], 'second result'],
    ['a start after the result', ({ x }) => [finished(x), started(x)], 'start after the result'],
    ['ok without a start', ({ y }) => [finished(y)], 'it was not started'],
    ['error without a start', ({ y }) => [finished(y, { status: 'error' })], 'it was not started'],
    ['a verdict after the result', ({ x }) => [finished(x), judged(x)], 'second result'],
  ])('C: %s', (_name, drafts, problem) => {
    const { log, x, y } = two()
    const before = structuredClone(log.state)
    expect(refused(() => appendGroup(log.state, drafts({ x, y }), stampsOf()))).toEqual(['bad_link', problem])
    expect(log.state).toEqual(before)
  })

  test('C: once all calls have results a further one finds no message', () => {
    const { log, x } = two()
    log.finish('x')
    log.finish('y', 'cancelled')
    expect(refused(() => appendGroup(log.state, [finished(x)], stampsOf()))).toEqual([
      'bad_link',
      'unknown message, or all its calls have results',
    ])
  })

  test.each([
    ['denied', {}],
    ['cancelled', {}],
    ['unknown', {}],
    ['ok', { unstarted: 'ask' }],
    ['error', { unstarted: 'invalid' }],
  ])('C: taken without a start: %s %j', (status, more) => {
    const { log, y } = two()
    expect(refused(() => appendGroup(log.state, [finished(y, { status, ...more })], stampsOf()))).toBe('taken')
  })

  test('C: results of any order are taken, each once, and a wrong one anywhere changes nothing', () => {
    const wishes: fc.Arbitrary<Wish[]> = fc.array(
      fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
      { maxLength: 60, size: 'max' },
    )
    const wrong = fc.record({
      message: fc.boolean(),
      call: fc.boolean(),
      tool: fc.boolean(),
    })
    fc.assert(
      fc.property(wishes, fc.nat(), wrong, (list, at, bad) => {
        const { state } = growLog(list)
        const open = state.batch?.calls.filter((call) => call.state !== 'done') ?? []
        const call = open[at % Math.max(1, open.length)]
        fc.pre(call !== undefined && (bad.message || bad.call || bad.tool))
        if (!call) return
        const ref: CallRef = {
          message: bad.message ? 'ev_wrong' : call.ref.message,
          call: bad.call ? 'wrong' : call.ref.call,
          tool: bad.tool ? 'Wrong' : call.ref.tool,
        }
        const draft = finished(ref, { status: 'cancelled' })
        expect(refused(() => appendGroup(state, [draft], stampsOf()))).toEqual(['bad_link', expect.any(String)])
        expect(refused(() => appendGroup(state, [{ ...draft, ref: call.ref } as Draft], stampsOf()))).toBe('taken')
      }),
      { seed, numRuns: 300, maxSkipsPerRun: 1000 },
    )
  })
})

test('M: with the ledger dropped append gives the same verdict on every branch event that follows', () => {
  const wishes: fc.Arbitrary<Wish[]> = fc.array(
    fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
    { maxLength: 60, size: 'max' },
  )
  const ids = createIdGenerator(
    () => 1,
    () => 0.5,
  )
  fc.assert(
    fc.property(wishes, (list) => {
      const { events, state } = growLog(list)
      const stamps = { now: () => 1, ids, fold: createFold(sha256) }
      const parents = new Map(events.map((event) => [event.id, event]))
      const branch = []
      for (let at = state.head && parents.get(state.head.id); at; at = at.parent ? parents.get(at.parent) : undefined)
        branch.unshift(at)
      const alone = branch.reduce(createFold(sha256), emptyRun)
      for (const call of state.batch?.calls ?? []) {
        for (const draft of [started(call.ref), finished(call.ref), finished(call.ref, { status: 'denied' })]) {
          const full = refused(() => appendGroup(state, [draft], stamps))
          expect(refused(() => appendGroup(alone, [draft], stamps))).toEqual(full)
        }
      }
    }),
    { seed, numRuns: 150 },
  )
})
