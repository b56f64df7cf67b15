// Law 1, the active branch: over grown logs, over any tree at all, and over broken ones.
import { type Event, type EventId, TenonError } from '@tenon/protocol'
import { growKinds, growLog, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headOf, indexById, path } from './path.ts'

const seed = 20_260_728
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
  { maxLength: 80, size: 'max' },
)

/** A branch event whose other fields do not matter here. */
const node = (id: string, parent: string | null, seq = 0, at = 0): Event =>
  ({
    v: 1,
    seq,
    at,
    by: 'person',
    id: `ev_${id}`,
    parent: parent === null ? null : `ev_${parent}`,
    type: 'todos.changed',
    todos: [],
  }) as Event

const moved = (to: EventId | null): Event => ({
  v: 1,
  seq: 0,
  at: 0,
  by: 'person',
  id: 'ev_move',
  type: 'head.moved',
  to,
  was: null,
  reason: 'move',
})

const thrown = (act: () => unknown): TenonError => {
  try {
    act()
  } catch (error) {
    if (error instanceof TenonError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('A: the active path is the parent walk from HEAD', () => {
  test('A: root, a, and old and new below a: with HEAD at new the path is root, a, new', () => {
    const events = [node('root', null), node('a', 'root'), node('old', 'a'), node('new', 'a')]
    expect(path(indexById(events), 'ev_new').map(({ id }) => id)).toEqual(['ev_root', 'ev_a', 'ev_new'])
    expect(path(indexById(events), 'ev_old').map(({ id }) => id)).toEqual(['ev_root', 'ev_a', 'ev_old'])
    expect(path(indexById(events), null)).toEqual([])
  })

  test('A: in any tree, whatever the order in the file and the times, no sibling shows and none of the walk is left out', () => {
    const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(trees, fc.nat(), fc.infiniteStream(fc.nat(1000)), (parents, at, noise) => {
        const parentOf = (i: number) => (i === 0 ? null : (parents[i] ?? 0) % i)
        const events = parents.map((_, i) => {
          const parent = parentOf(i)
          return node(`${i}`, parent === null ? null : `${parent}`, noise.next().value, noise.next().value)
        })
        const shuffled = events
          .map((event) => [noise.next().value, event] as const)
          .sort(([a], [b]) => a - b)
          .map(([, event]) => event)
        const walk: string[] = []
        for (let i: number | null = at % parents.length; i !== null; i = parentOf(i)) walk.unshift(`ev_${i}`)
        const found = path(indexById(shuffled), `ev_${at % parents.length}`)
        expect(found.map(({ id }) => id)).toEqual(walk)
        // The stored events themselves, never copies.
        expect(found.every((event) => events.includes(event))).toBe(true)
      }),
      { seed, numRuns: 200 },
    )
  })

  test('A: in a grown log with moves the walk ends at HEAD and agrees with the fold', () => {
    fc.assert(
      fc.property(wishes, (list) => {
        const { events, state } = growLog(list)
        const walk = path(indexById(events), headOf(events))
        const nodes: string[] = []
        for (let at = state.head; at; at = at.parent) nodes.unshift(at.id)
        expect(walk.map(({ id }) => id)).toEqual(nodes)
        walk.forEach((event, i) => {
          expect(event.parent).toBe(walk[i - 1]?.id ?? null)
        })
      }),
      { seed, numRuns: 150 },
    )
  })
})

describe('HEAD', () => {
  test.each([
    ['nothing yet', [], null],
    ['the last branch event', [node('a', null), node('b', 'a')], 'ev_b'],
    ['the target of a later move', [node('a', null), node('b', 'a'), moved('ev_a')], 'ev_a'],
    ['empty on purpose', [node('a', null), moved(null)], null],
    ['a branch event after a move', [node('a', null), moved(null), node('c', 'a')], 'ev_c'],
    ['an unknown branch type moves it too', [node('a', null), { ...node('x', 'a'), type: 'future.done' }], 'ev_x'],
    ['a ledger event does not', [node('a', null), { ...moved(null), type: 'effect.ended' }], 'ev_a'],
  ] as [string, Event[], EventId | null][])('is %s', (_name, events, head) => {
    expect(headOf(events)).toBe(head)
  })
})

describe('a broken tree is named', () => {
  test('a missing parent: which event names it, and what it names', () => {
    const error = thrown(() => path(indexById([node('b', 'a', 7)]), 'ev_b'))
    expect([error.code, error.message, error.facts]).toEqual([
      'log_missing_parent',
      'Event ev_b (seq 7) names the parent ev_a, which is not in the log.',
      { id: 'ev_a' },
    ])
  })

  test('a HEAD that is not there', () => {
    const error = thrown(() => path(indexById([]), 'ev_gone'))
    expect([error.code, error.message]).toEqual([
      'log_missing_parent',
      'HEAD names the parent ev_gone, which is not in the log.',
    ])
  })

  test.each([
    ['of two', [node('a', 'b', 1), node('b', 'a', 2)], 'ev_b', 'The parents of ev_b come back to ev_b (seq 2).'],
    ['of one', [node('a', 'a', 4)], 'ev_a', 'The parents of ev_a come back to ev_a (seq 4).'],
    [
      'below which HEAD hangs',
      [node('a', 'b', 1), node('b', 'a', 2), node('c', 'b', 3)],
      'ev_c',
      'The parents of ev_c come back to ev_b (seq 2).',
    ],
  ] as [string, Event[], EventId, string][])('a cycle %s', (_name, events, head, message) => {
    const error = thrown(() => path(indexById(events), head))
    expect([error.code, error.message]).toEqual(['log_cycle', message])
  })

  test('a doubled id: both places', () => {
    const error = thrown(() => indexById([node('a', null, 3), node('b', 'a', 4), node('a', 'b', 5)]))
    expect([error.code, error.message, error.facts]).toEqual([
      'log_duplicate_id',
      'Two events have the id ev_a (seq 3 and 5).',
      { id: 'ev_a', seq: 5, other: 3 },
    ])
  })
})
