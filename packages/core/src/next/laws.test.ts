// J and K over grown logs: at every prefix, for every answerer, `next` is one clear decision.
import { createFold, emptyRun, type RunState } from '@tenon/projections'
import { growKinds, growLog, sha256, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { next } from './next.ts'
import { ongoing } from './ongoing.ts'
import type { Answerer } from './step.ts'

const seed = 20_260_728
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
  { maxLength: 60, size: 'max' },
)
const answerers: readonly Answerer[] = ['some', 'none', 'stop']
const fold = createFold(sha256)

/** Every state between two appends, with a run opened where none was. */
function* states(list: Wish[]): Generator<RunState> {
  let state = emptyRun
  for (const group of growLog([{ kind: 'ledger', a: 0, b: 0 }, { kind: 'ledger', a: 1, b: 0 }, ...list]).groups) {
    for (const event of group) state = fold(state, event)
    yield state
  }
}

test('J: the same state gives the same step, with the same keys, each once', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      for (const state of states(list)) {
        for (const answerer of answerers) {
          const context = { now: 10_000, answerer, hash: sha256, version: '0' }
          const step = next(state, context)
          expect(next(structuredClone(state), { ...context })).toEqual(step)
          const keys = step.effects.map(({ key }) => key)
          expect(new Set(keys).size).toBe(keys.length)
        }
      }
    }),
    { seed, numRuns: 40 },
  )
})

test('J: with a run open it never rests for nothing: something runs, is due, or waits for an answer', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      for (const state of states(list)) {
        for (const answerer of answerers) {
          const { row, facts, effects, until } = next(state, { now: 10_000, answerer, hash: sha256, version: '0' })
          if (facts.length > 0 || effects.length > 0 || until !== undefined) continue
          const waits = state.asks.length > 0 && answerer === 'some'
          const stops = state.run?.stopping === 'interrupt' && ongoing(state).length > 0
          expect([row, state.run === null || waits || stops]).toEqual([row, true])
        }
      }
    }),
    { seed, numRuns: 60 },
  )
})

test('J: effects that are begun are exactly those that the log says are running', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      for (const state of states(list)) {
        if (!state.run || state.run.stopping) continue
        const { facts, effects } = next(state, { now: 10_000, answerer: 'some', hash: sha256, version: '0' })
        if (facts.length > 0) continue
        expect(effects.filter(({ begun }) => begun)).toEqual(ongoing(state))
      }
    }),
    { seed, numRuns: 60 },
  )
})

test('K: a result alone never ends a run as done', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      let state = emptyRun
      for (const event of growLog([{ kind: 'ledger', a: 0, b: 0 }, { kind: 'ledger', a: 1, b: 0 }, ...list]).events) {
        state = fold(state, event)
        if (event.type !== 'tool.finished' || state.branch.finish !== null) continue
        const { facts } = next(state, { now: 10_000, answerer: 'none', hash: sha256, version: '0' })
        const done = facts.some((fact) => fact.type === 'run.ended' && fact.outcome === 'done')
        // A person's own call owes nothing; grown logs have none.
        expect(done).toBe(false)
      }
    }),
    { seed, numRuns: 150 },
  )
})
