import type { ModelPart } from '@tenon/core'
import { streamProblems } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCall } from '../chat/reader.ts'
import { createCallTracker } from './calls.ts'
import { listOf } from './json.ts'

/** Deltas as chat servers send them. */
const read = (chunk: unknown) => listOf(chunk).map(readCall)

const track = (...chunks: readonly unknown[]) => {
  const tracker = createCallTracker((name) => name)
  const parts = [...chunks.flatMap((chunk) => tracker.take(read(chunk))), ...tracker.end()]
  return {
    parts,
    calls: parts.flatMap((part) => (part.type === 'call.end' ? [[part.name, part.text]] : [])),
    wireIds: parts.flatMap((part) => (part.type === 'call.start' ? [part.wireId] : [])),
  }
}
const named = (name: string, text: string, fields: object = {}) => [{ ...fields, function: { name, arguments: text } }]
const more = (text: string | null, fields: object = {}) => [{ ...fields, function: { arguments: text } }]

describe('calls from raw deltas', () => {
  test('interleaved by index', () => {
    const { calls } = track(
      named('A', '', { index: 0, id: 'x' }),
      named('B', '', { index: 1, id: 'y' }),
      more('{"a"', { index: 0 }),
      more('{}', { index: 1 }),
      more(':1}', { index: 0 }),
    )
    expect(calls).toEqual([
      ['A', '{"a":1}'],
      ['B', '{}'],
    ])
  })

  test('by id, and by neither', () => {
    expect(
      track(named('A', '{', { id: 'x' }), named('B', '{', { id: 'y' }), more('}', { id: 'x' }), more('}', { id: 'y' }))
        .calls,
    ).toEqual([
      ['A', '{}'],
      ['B', '{}'],
    ])
    expect(track(named('A', '{'), more('}'), named('B', '{}')).calls).toEqual([
      ['A', '{}'],
      ['B', '{}'],
    ])
  })

  test('every call at index 0, told apart by id, or by being whole', () => {
    expect(track(named('A', '{}', { index: 0, id: 'x' }), named('A', '{}', { index: 0, id: 'y' })).calls).toHaveLength(
      2,
    )
    expect(track(named('A', '{}', { index: 0, id: 'x' }), named('B', '{}', { index: 0, id: 'x' })).calls).toHaveLength(
      2,
    )
    expect(track(named('A', '{"a"', { index: 0, id: 'x' }), named('A', ':1}', { index: 0, id: 'x' })).calls).toEqual([
      ['A', '{"a":1}'],
    ])
  })

  test('a call that is whole ends when the next one begins, the others at the end', () => {
    const tracker = createCallTracker((name) => name)
    const first = [named('A', '{}', { index: 0 }), named('B', '{', { index: 1 }), named('C', '{}', { index: 2 })]
    const ended = (parts: readonly ModelPart[]) =>
      parts.flatMap((part) => (part.type === 'call.end' ? [part.name] : []))
    expect(first.map((chunk) => ended(tracker.take(read(chunk))))).toEqual([[], ['A'], []])
    expect(ended(tracker.take(read(more(' ', { index: 0 }))))).toEqual([])
    expect(ended(tracker.end())).toEqual(['B', 'C'])
  })

  test('a name that comes late, an id that comes late, a name that never comes', () => {
    expect(track(more('{"a"', { index: 0, id: 'x' }), named('A', ':1}', { index: 0 }))).toMatchObject({
      calls: [['A', '{"a":1}']],
      wireIds: ['x'],
    })
    expect(track(more('{}', { index: 0 })).calls).toEqual([['', '{}']])
  })

  test('arguments as an object, nulls, foreign shapes', () => {
    expect(track([{ index: 0, function: { name: 'A', arguments: { a: 1 } } }]).calls).toEqual([['A', '{"a":1}']])
    expect(track(null, 'x', [null, 1, {}], [{ function: null }]).calls).toEqual([['', '']])
  })

  test('whatever comes, the parts are well formed', () => {
    const delta = fc.record(
      {
        index: fc.option(fc.nat(2)),
        id: fc.option(fc.constantFrom('', 'x', 'y')),
        function: fc.option(
          fc.record(
            {
              name: fc.option(fc.constantFrom('', 'A', 'B')),
              arguments: fc.option(fc.constantFrom('', '{', '}', '{}')),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.array(delta, { maxLength: 3 }), { maxLength: 12 }), (chunks) => {
        const finish: ModelPart = { type: 'finish', reason: 'calls', usage: null }
        expect(streamProblems([...track(...chunks).parts, finish])).toEqual([])
      }),
    )
  })
})
