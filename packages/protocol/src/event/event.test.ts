// K: every released version of every event loads for ever. One fixture file a type and version (and shape, where a type has
// several): `<type>.v<version>[.<shape>].json`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Envelope, envelope, eventIssues, eventKinds, isBranch, isKnownType } from './event.ts'
import { isNewer, upcast } from './upcast.ts'

const folder = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(folder).map((file) => {
  const [, type = '', version] = /^(.+)\.v(\d+)(?:\.\w+)?\.json$/.exec(file) ?? []
  const event = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Envelope & Record<string, unknown>
  return { file, type, version: Number(version), event }
})
const types = Object.keys(eventKinds)
const envelopeKeys = Object.keys(envelope.shape)

describe('K: fixtures', () => {
  test.each(types)('K: %s has a fixture for each version up to the newest', (type) => {
    const versions = new Set(fixtures.filter((fixture) => fixture.type === type).map(({ version }) => version))
    const newest = isKnownType(type) ? eventKinds[type].v : 0
    expect([...versions].sort()).toEqual(Array.from({ length: newest }, (_, i) => i + 1))
  })

  test.each(fixtures)('K: $file is what its name says, loads in its newest shape and is well formed', (fixture) => {
    const { type, version, event } = fixture
    expect([event.type, event.v]).toEqual([type, version])
    const loaded = upcast(event)
    expect(eventIssues(loaded)).toEqual([])
    expect(isNewer(event)).toBe(false)
    expect(loaded.v).toBe(isKnownType(type) ? eventKinds[type].v : version)
    expect(isBranch(loaded)).toBe(isKnownType(type) && eventKinds[type].branch)
  })

  test.each(types)('K: together the newest fixtures of %s hold every field of its schema and no other', (type) => {
    const kind = isKnownType(type) ? eventKinds[type] : undefined
    const newest = fixtures.filter((fixture) => fixture.type === type && fixture.version === kind?.v)
    const held = new Set(newest.flatMap(({ event }) => Object.keys(event)))
    const own = [...held].filter((key) => !envelopeKeys.includes(key))
    expect(own.sort()).toEqual(Object.keys(kind?.payload.shape ?? {}).sort())
  })

  test.each(fixtures)('K: without one required field $file is refused, and the field is named', ({ type, event }) => {
    const shape: Record<string, z.ZodType> = isKnownType(type) ? eventKinds[type].payload.shape : {}
    const required = Object.entries(shape).filter(([, schema]) => !schema.safeParse(undefined).success)
    for (const [key] of required) {
      const { [key]: _, ...rest } = event
      expect(eventIssues(rest)).toEqual([expect.stringMatching(new RegExp(`^${key}: `))])
    }
  })
})

describe('K: upcast is total', () => {
  const unknown = fc.record(
    {
      v: fc.integer({ min: 1, max: 100 }),
      seq: fc.nat(),
      id: fc.string().map((text) => `ev_${text}` as const),
      at: fc.nat(),
      by: fc.constantFrom('person', 'agent', 'harness' as const),
      type: fc.oneof(fc.constantFrom(...types, '__proto__', 'constructor', 'toString'), fc.string()),
      parent: fc.constantFrom(null, 'ev_x' as const),
      payload: fc.jsonValue(),
    },
    { requiredKeys: ['v', 'seq', 'id', 'at', 'by', 'type'] },
  )

  test('K: any envelope comes through, unknown types and newer versions unchanged', () => {
    fc.assert(
      fc.property(unknown, (event) => {
        const before = structuredClone(event)
        const loaded = upcast(event)
        expect(event).toEqual(before)
        if (!isKnownType(event.type) || event.v >= eventKinds[event.type].v) expect(loaded).toEqual(before)
      }),
      { seed: 20_260_728, numRuns: 500 },
    )
  })

  test('K: an event of a newer Tenon is told apart from an unknown one', () => {
    const event = { seq: 0, id: 'ev_a', at: 0, by: 'agent' } as const
    expect([
      isNewer({ ...event, type: 'run.started', v: 1 }),
      isNewer({ ...event, type: 'run.started', v: eventKinds['run.started'].v + 1 }),
      isNewer({ ...event, type: 'future.done', v: 40 }),
    ]).toEqual([false, true, false])
  })
})

test('an event without its envelope is refused field by field; an unknown type with one passes', () => {
  expect(eventIssues({ type: 'future.done' })).toEqual([
    expect.stringMatching(/^v: /),
    expect.stringMatching(/^seq: /),
    expect.stringMatching(/^id: /),
    expect.stringMatching(/^at: /),
    expect.stringMatching(/^by: /),
  ])
  expect(eventIssues({ type: 'future.done', v: 3, seq: 0, id: 'ev_a', at: 1, by: 'agent', more: true })).toEqual([])
  expect(eventIssues({ type: 'future.done', v: 3, seq: 0, id: 'x_a', at: 1, by: 'nobody', more: false })).toHaveLength(
    3,
  )
  expect(eventIssues('text')).toEqual([expect.stringMatching(/^event: /)])
})
