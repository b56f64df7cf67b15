// The model's view over grown logs: B (calls of one reply stay together), H (a strict reader takes every request), N (prefix).
import { createFold, emptyRun, type RunState, viewSeqs } from '@tenon/projections'
import { canonicalJson, type Event, type EventOf } from '@tenon/protocol'
import { callOf, given, growKinds, growLog, requestProblems, sha256, type Wish } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelMessage, ModelRequest } from './model.ts'
import { buildRequest, rebuiltHash } from './request.ts'

const seed = 20_260_728
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...growKinds), a: fc.nat(20), b: fc.nat(20) }),
  { maxLength: 100, size: 'max' },
)

const facts = { purpose: 'act', model: 'sim/a', cacheKey: 'k', try: 0, windDown: false } as const
const setOf = (events: readonly Event[], state: RunState): EventOf<'context.set'> | undefined => {
  const event = events[state.branch.set?.seq ?? -1]
  return event?.type === 'context.set' ? event : undefined
}
function requestOf(events: readonly Event[], state: RunState): ModelRequest | undefined {
  const set = setOf(events, state)
  const bodies = viewSeqs(state.branch.view).flatMap((seq) => events[seq] ?? [])
  return set && buildRequest(set, state.branch.view, bodies, facts)
}
/** One line a part, so that a message that grew still begins with what it was. */
const lines = ({ messages }: ModelRequest): string[] =>
  messages.flatMap((message) => {
    const parts: readonly unknown[] = message.role === 'tool' ? message.results : message.parts
    return parts.map((part) => `${message.role} ${canonicalJson(part)}`)
  })

/** Every state of a grown log in which a model could be asked. */
function* askable(list: Wish[]): Generator<{ events: readonly Event[]; state: RunState; request: ModelRequest }> {
  const { events } = growLog(list)
  const fold = createFold(sha256)
  let state = emptyRun
  for (const [i, event] of events.entries()) {
    state = fold(state, event)
    if (state.batch !== null || event.more || state.branch.owed === null) continue
    const request = requestOf(events.slice(0, i + 1), state)
    if (request) yield { events: events.slice(0, i + 1), state, request }
  }
}

const calls = (message: ModelMessage | undefined): string[] =>
  message?.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : []

test('B: k calls in are k calls in one message, in the order of the model, whatever order the results came in', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      for (const { state, events, request } of askable(list)) {
        const shown = viewSeqs(state.branch.view).flatMap((seq) => events[seq] ?? [])
        const replies = shown.flatMap((event) =>
          event.type === 'message.added' && event.role === 'assistant' && event.parts.length > 0
            ? [event.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))]
            : [],
        )
        expect(request.messages.filter(({ role }) => role === 'assistant').map(calls)).toEqual(replies)
      }
    }),
    { seed, numRuns: 150 },
  )
})

test('B: x and y with y done first: the log shows y, x; the request one message x, y and results x, y', () => {
  const log = given()
  log.run('go')
  log.reply(['both', callOf('x', 'Read'), callOf('y', 'Read')])
  for (const id of ['x', 'y']) {
    log.judge(id)
    log.start(id)
  }
  log.finish('y', 'ok', { content: [{ type: 'text', text: 'Y' }] })
  log.finish('x', 'error', { content: [{ type: 'text', text: 'X' }], hint: 'look' })
  const events = log.groups.flat()
  expect(events.flatMap((event) => (event.type === 'tool.finished' ? [event.ref.call] : []))).toEqual(['y', 'x'])
  expect(requestOf(events, log.state)?.messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      provider: 'sim',
      model: 'sim/a',
      parts: [{ type: 'text', text: 'both' }, callOf('x', 'Read'), callOf('y', 'Read')],
    },
    {
      role: 'tool',
      results: [
        {
          call: 'x',
          name: 'read',
          status: 'error',
          content: [
            { type: 'text', text: 'X' },
            { type: 'text', text: 'look' },
          ],
        },
        { call: 'y', name: 'read', status: 'ok', content: [{ type: 'text', text: 'Y' }] },
      ],
    },
  ])
})

test('H: a strict reader takes every request: paired, in order, alternating, first a user', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      for (const { request } of askable(list)) {
        // A grown log may owe a result batch below a branch that no message opened; no run asks then.
        expect(requestProblems(request.messages)).toEqual([])
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('N: on one branch request n is a prefix of request n + 1', () => {
  fc.assert(
    fc.property(wishes, (list) => {
      let before: { lines: string[]; set: string | undefined; moves: number } | undefined
      for (const { events, state, request } of askable(list)) {
        const now = {
          lines: lines(request),
          set: state.branch.set?.id,
          moves: events.filter(({ type }) => type === 'head.moved').length,
        }
        if (before && before.set === now.set && before.moves === now.moves)
          expect(now.lines.slice(0, before.lines.length)).toEqual(before.lines)
        before = now
      }
    }),
    { seed, numRuns: 150 },
  )
})

test('the hash of the chain is the hash that is taken again over the bodies, and any changed body changes it', () => {
  fc.assert(
    fc.property(wishes, fc.nat(), (list, at) => {
      for (const { events, state } of askable(list)) {
        const set = setOf(events, state)
        const { view } = state.branch
        if (!set || !view) continue
        const bodies = viewSeqs(view).flatMap((seq) => events[seq] ?? [])
        const chain = (chosen: readonly Event[]) => rebuiltHash(set, view, chosen, false, sha256)
        expect(chain(bodies)).toBe(chain(structuredClone(bodies)))
        const i = at % bodies.length
        const changed = bodies.map((event, j) => (j === i ? disturbed(event) : event))
        expect(chain(changed)).not.toBe(chain(bodies))
      }
    }),
    { seed, numRuns: 60 },
  )
})

function disturbed(event: Event): Event {
  const more = { type: 'text', text: 'forged' } as const
  if (event.type === 'tool.finished') return { ...event, content: [...event.content, more] }
  if (event.type === 'message.added' || event.type === 'context.added')
    return { ...event, parts: [...event.parts, more] }
  return event
}

describe('what a request says', () => {
  test("a person's own call and its result are told as text of that person's message", () => {
    const log = given()
    log.run()
    log.add({
      type: 'message.added',
      by: 'person',
      role: 'user',
      parts: [{ type: 'text', text: 'see' }, callOf('p', 'Bash', { command: 'ls' })],
    })
    log.done('p', 'ok', 'a.txt')
    expect(requestOf(log.groups.flat(), log.state)?.messages).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'see' },
          { type: 'text', text: 'I ran bash {"command":"ls"}' },
          { type: 'text', text: 'Result of bash:\na.txt' },
        ],
      },
    ])
  })

  test('a reply of nothing but reasoning is left out; blank text too', () => {
    const log = given()
    log.run('go')
    log.attempt()
    const [attempt] = log.state.attempts
    log.add(
      {
        type: 'message.added',
        by: 'agent',
        role: 'assistant',
        attempt: attempt?.id ?? 'ev_none',
        finish: 'stop',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: ' ' },
        ],
      },
      {
        type: 'message.added',
        by: 'harness',
        role: 'harness',
        kind: 'nudge',
        parts: [{ type: 'text', text: 'say something' }],
      },
    )
    expect(requestOf(log.groups.flat(), log.state)?.messages).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'go' },
          { type: 'text', text: 'say something' },
        ],
      },
    ])
  })
})
