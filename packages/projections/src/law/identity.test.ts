// Law 3, three identities: a result names message, call and tool of one call that has none. Pending = calls − results.
import type { CallRef, Event, ToolStatus } from '@tenon/protocol'
import { growKinds, growLog, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallBook, type LinkProblem } from './identity.ts'
import { headOf, indexById, path } from './path.ts'

const seed = 20_260_728
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
  { maxLength: 100, size: 'max' },
)

const stamp = { v: 1, seq: 0, at: 0, by: 'agent', parent: null } as const
const asked: Event = {
  ...stamp,
  id: 'ev_m',
  type: 'message.added',
  role: 'assistant',
  parts: [
    { type: 'text', text: 'two calls' },
    { type: 'call', id: 'x', name: 'read', tool: 'Read', input: {}, repairs: [] },
    { type: 'call', id: 'y', name: 'edit', tool: 'Edit', input: {}, repairs: [] },
  ],
}
const ref = (message: string, call: string, tool: string): CallRef => ({ message: `ev_${message}`, call, tool })
const x = ref('m', 'x', 'Read')
const y = ref('m', 'y', 'Edit')
const start = (of: CallRef): Event => ({
  ...stamp,
  id: 'ev_s',
  type: 'tool.started',
  ref: of,
  input: {},
  inputHash: '',
  wire: { name: of.tool },
  repairs: [],
  resources: [],
  timeoutMs: 1,
  secrets: [],
})
const finish = (of: CallRef, status: ToolStatus = 'ok', unstarted?: 'ask' | 'emit' | 'invalid'): Event => ({
  ...stamp,
  id: 'ev_f',
  type: 'tool.finished',
  ref: of,
  status,
  ...(unstarted && { unstarted }),
  content: [],
  shown: 0,
  total: 0,
  ms: 0,
})

const problemsOf = (events: readonly Event[]): (LinkProblem | undefined)[] => {
  const book = new CallBook()
  return events.map((event) => book.add(event))
}

describe('C: a result needs three identities', () => {
  test.each<[string, Event[], LinkProblem | undefined]>([
    ['x started and finished', [asked, start(x), finish(x)], undefined],
    ['y before x', [asked, start(x), start(y), finish(y), finish(x)], undefined],
    ['an unknown message', [asked, start(x), finish(ref('other', 'x', 'Read'))], 'unknown message'],
    ['a start for an unknown message', [start(x)], 'unknown message'],
    ['a wrong call id', [asked, finish(ref('m', 'z', 'Read'), 'denied')], 'wrong call'],
    ['a wrong tool', [asked, start(ref('m', 'x', 'Edit'))], 'wrong tool'],
    ["a sibling's tool in a result", [asked, start(x), finish(ref('m', 'x', 'Edit'))], 'wrong tool'],
    ['the name that the model wrote in place of the tool', [asked, start(ref('m', 'x', 'read'))], 'wrong tool'],
    ['a second start', [asked, start(x), start(x)], 'second start'],
    ['a second result', [asked, start(x), finish(x), finish(x)], 'second result'],
    ['a start after the result', [asked, finish(x, 'cancelled'), start(x)], 'second result'],
    ['ok without a start', [asked, finish(x)], 'not started'],
    ['an error without a start', [asked, finish(x, 'error')], 'not started'],
    ['denied without a start', [asked, finish(x, 'denied')], undefined],
    ['cancelled without a start', [asked, finish(x, 'cancelled')], undefined],
    ['unknown without a start', [asked, finish(x, 'unknown')], undefined],
    ['an answer without a start', [asked, finish(x, 'ok', 'ask')], undefined],
    ['a pure tool without a start', [asked, finish(x, 'ok', 'emit')], undefined],
    ['an invalid call without a start', [asked, finish(x, 'error', 'invalid')], undefined],
  ])('C: %s', (_name, events, problem) => {
    const problems = problemsOf(events)
    expect(problems.slice(0, -1)).toEqual(events.slice(1).map(() => undefined))
    expect(problems.at(-1)).toBe(problem)
  })

  test('C: a refused result changes nothing: the call still takes its own', () => {
    const book = new CallBook()
    for (const event of [asked, start(x)]) book.add(event)
    expect([
      book.add(finish(ref('m', 'x', 'Edit'))),
      book.add(finish(ref('other', 'x', 'Read'))),
      book.pending(),
      book.add(finish(x)),
      book.pending(),
    ]).toEqual(['wrong tool', 'unknown message', [x, y], undefined, [y]])
  })

  test('C: at every prefix of every branch pending = calls − results, in any order of results', () => {
    fc.assert(
      fc.property(wishes, (list) => {
        const { events } = growLog(list)
        const book = new CallBook()
        const calls: string[] = []
        const results = new Set<string>()
        for (const event of path(indexById(events), headOf(events))) {
          expect(book.add(event)).toBeUndefined()
          if (event.type === 'message.added') {
            for (const part of event.parts) if (part.type === 'call') calls.push(part.id)
          }
          if (event.type === 'tool.finished') results.add(event.ref.call)
          expect(book.pending().map(({ call }) => call)).toEqual(calls.filter((id) => !results.has(id)))
        }
      }),
      { seed, numRuns: 150 },
    )
  })
})
