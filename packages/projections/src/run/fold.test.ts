// Laws of the fold over grown logs: G (in two parts, input untouched), M (the ledger dropped), and what unknown events do.
import { type Event, TenonError } from '@tenon/protocol'
import { growKinds, growLog, sha256, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headOf, indexById, path } from '../law/path.ts'
import { createFold } from './fold.ts'
import { emptyRun, type RunState } from './state.ts'

const seed = 20_260_728
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
  { maxLength: 100, size: 'max' },
)
const fold = createFold(sha256)
const foldAll = (events: readonly Event[], from: RunState = emptyRun): RunState => events.reduce(fold, from)

/** Freezes all the way down; linked nodes make it a graph. */
function freeze<T>(value: T): T {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const at = open.pop()
    if (typeof at !== 'object' || at === null || Object.isFrozen(at)) continue
    Object.freeze(at)
    open.push(...Object.values(at))
  }
  return value
}

describe('G: fold', () => {
  test('G: in two parts, by two folds, it gives what one gives', () => {
    fc.assert(
      fc.property(wishes, fc.nat(), (list, at) => {
        const { events, state } = growLog(list)
        const cut = at % (events.length + 1)
        const first = events.slice(0, cut).reduce(createFold(sha256), emptyRun)
        const both = events.slice(cut).reduce(createFold(sha256), first)
        expect(both).toEqual(state)
      }),
      { seed, numRuns: 40 },
    )
  })

  test('G: it never alters an event or a state', () => {
    fc.assert(
      fc.property(wishes, (list) => {
        const events = freeze(JSON.parse(JSON.stringify(growLog(list).events)) as Event[])
        let state = freeze(emptyRun)
        // A write to anything frozen throws in a module.
        for (const event of events) state = freeze(fold(state, event))
        expect(state.seq).toBe(events.length - 1)
      }),
      { seed, numRuns: 40 },
    )
  })

  test('G: an older state stays what it was while newer ones are folded from it', () => {
    fc.assert(
      fc.property(wishes, fc.nat(), (list, at) => {
        const { events } = growLog(list)
        const cut = at % (events.length + 1)
        const early = foldAll(events.slice(0, cut))
        const before = structuredClone(early)
        foldAll(events.slice(cut), early)
        expect(early).toEqual(before)
      }),
      { seed, numRuns: 30 },
    )
  })
})

describe('M: the ledger may be dropped', () => {
  test('M: the events of the branch alone fold to the same Branch and the same open batch', () => {
    fc.assert(
      fc.property(wishes, (list) => {
        const { events, state } = growLog(list)
        const alone = foldAll(path(indexById(events), headOf(events)))
        expect(alone.branch).toEqual(state.branch)
        // Verdicts stand in the ledger; which calls have results does not.
        const done = ({ batch }: RunState) => batch?.calls.map(({ ref, result }) => [ref, result])
        expect(done(alone)).toEqual(done(state))
      }),
      { seed, numRuns: 80 },
    )
  })

  test('M: all branches without any ledger event, not even the moves, fold to the same Branch and batch at the last event', () => {
    fc.assert(
      fc.property(wishes, (list) => {
        const { events } = growLog(list)
        const last = events.findLastIndex(({ parent }) => parent !== undefined)
        const full = foldAll(events.slice(0, last + 1))
        const alone = foldAll(events.slice(0, last + 1).filter(({ parent }) => parent !== undefined))
        expect(alone.branch).toEqual(full.branch)
        const done = ({ batch }: RunState) => batch?.calls.map(({ ref, result }) => [ref, result]) ?? null
        expect([alone.head?.id, done(alone)]).toEqual([full.head?.id, done(full)])
      }),
      { seed, numRuns: 80 },
    )
  })

  test('M: a branch event on another branch than HEAD closes the open batch of the one that is left', () => {
    const { events, state } = growLog([
      { kind: 'say', a: 0, b: 1 },
      { kind: 'reply', a: 2, b: 0 },
    ])
    const before = events.find(({ type }) => type === 'message.added')
    expect(state.batch?.calls).toHaveLength(2)
    const event = { v: 1, seq: events.length, id: 'ev_other', at: 0, by: 'agent', parent: before?.id ?? null } as const
    const after = fold(state, { ...event, type: 'todos.changed', todos: [] })
    expect([after.batch, after.head?.parent?.id, after.branch.turns]).toEqual([null, before?.id, 0])
  })

  test('M, 47: a fork keeps turns, counters, fingerprints and what was seen; queue, asks, run and money stay behind', () => {
    const list: Wish[] = [
      { kind: 'say', a: 0, b: 1 },
      { kind: 'reply', a: 1, b: 0 },
      { kind: 'judge', a: 0, b: 0 },
      { kind: 'start', a: 0, b: 0 },
      { kind: 'finish', a: 0, b: 0 },
      { kind: 'add', a: 0, b: 0 },
      { kind: 'todos', a: 0, b: 0 },
      { kind: 'ledger', a: 0, b: 0 },
      { kind: 'ledger', a: 1, b: 0 },
      { kind: 'ledger', a: 2, b: 0 },
      { kind: 'ledger', a: 6, b: 0 },
    ]
    const { events, state } = growLog(list)
    const { branch, queue, asks, run, spent, runs } = foldAll(path(indexById(events), headOf(events)))
    expect(branch).toEqual(state.branch)
    expect([branch.turns, branch.prints.length, branch.warned, branch.todos.length, branch.seen?.value.path]).toEqual([
      1,
      1,
      true,
      1,
      '/w/f0',
    ])
    expect({ queue, asks, run, runs, tokens: spent.tokens }).toEqual({
      queue: [],
      asks: [],
      run: null,
      runs: 0,
      tokens: 0,
    })
    expect([state.queue.length, state.asks.length, state.run === null, state.runs, state.spent.tokens]).toEqual([
      1,
      1,
      false,
      1,
      1,
    ])
  })
})

describe('what the fold does not know', () => {
  const opened = growLog([]).events
  const head = opened.findLast(({ parent }) => parent !== undefined)
  const stamp = { v: 9, seq: opened.length, id: 'ev_future', at: 0, by: 'harness', future: true } as const

  test('an unknown ledger event changes only the position in the log', () => {
    const state = foldAll(opened)
    const after = fold(state, { ...stamp, type: 'future.noted' } as unknown as Event)
    expect(after).toEqual({ ...state, seq: opened.length })
  })

  test('an unknown branch event moves HEAD and changes nothing else of the branch', () => {
    const state = foldAll(opened)
    const event = { ...stamp, type: 'future.done', parent: head?.id } as unknown as Event
    const after = fold(state, event)
    expect([after.head?.id, after.head?.parent, after.branch]).toEqual(['ev_future', state.head, state.branch])
  })

  test('a branch event below a parent that is not there is an error that names both', () => {
    const event = { ...stamp, type: 'future.done', parent: 'ev_gone' } as unknown as Event
    const message = `Event ev_future (seq ${opened.length}) names the parent ev_gone, which is not in the log.`
    expect(() => fold(foldAll(opened), event)).toThrow(TenonError)
    expect(() => fold(foldAll(opened), event)).toThrow(message)
  })
})

test('causes are kept once per command, the newest 256', () => {
  const configured = (i: number, cause: string): Event => ({
    v: 1,
    seq: i,
    id: `ev_${i}`,
    at: 0,
    by: 'person',
    type: 'session.configured',
    set: {},
    was: {},
    source: 'person',
    cause,
  })
  const events = Array.from({ length: 600 }, (_, i) => configured(i, `c${Math.floor(i / 2)}`))
  const { causes } = foldAll(events)
  expect(causes).toEqual(Array.from({ length: 256 }, (_, i) => `c${i + 44}`))
})
