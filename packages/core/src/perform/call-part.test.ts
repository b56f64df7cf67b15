import { describe, expect, test } from 'vitest'
import { toCallPart } from './call-part.ts'
import type { PerformPorts } from './ports.ts'

// The cast: a call needs the tools' names and an id, nothing else of what perform may touch.
const ports = { tools: [], ids: () => '0123456789abcdefghjkmnpqrs' } as unknown as PerformPorts
const part = (text: string, place = 0) =>
  toCallPart({ type: 'call.end', id: '0', name: 'Nope', text, wireId: '' }, place, ports)

describe('a model that runs wild', () => {
  test('calls beyond the 128th of a reply cannot run, and say so', () => {
    expect(part('{}', 127).raw).toBeUndefined()
    expect(part('{}', 128)).toMatchObject({ input: {}, raw: '{}' })
  })

  test.each([500, 100_000])('arguments of %i levels are kept as text and never walked', (levels) => {
    const text = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect(part(text)).toMatchObject({ input: {}, raw: text })
  })

  test('arguments of 90 levels are taken', () => {
    expect(part(`${'['.repeat(90)}${']'.repeat(90)}`).raw).toBeUndefined()
  })
})
