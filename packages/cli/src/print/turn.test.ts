// Which run answers a command, whatever else happens in the session meanwhile.
import type { Event } from '@tenon/protocol'
import { expect, test } from 'vitest'
import { foldTurn, startTurn } from './turn.ts'

type Step = readonly [type: string, fields?: Readonly<Record<string, unknown>>]

const queued: Step = ['message.queued', { id: 'ev_q', own: true }]
const asked: Step = ['run.requested', { id: 'ev_r', own: true, queued: 'ev_q' }]
const delivered: Step = ['message.added', { role: 'user', queued: 'ev_q' }]
const started: Step = ['run.started', { request: 'ev_r' }]
const ended = (id: string): Step => ['run.ended', { id }]

function overOf(steps: readonly Step[], running = false) {
  const turn = steps.reduce((before, [type, fields = {}]) => {
    // Only the fields that the fold reads.
    const event = { type, id: 'ev_x', ...fields } as unknown as Event
    return foldTurn(before, event, fields.own === true)
  }, startTurn(running))
  return typeof turn.over === 'object' ? (turn.over?.id ?? null) : turn.over
}

test.each<[string, readonly Step[], string | null]>([
  ['its own run', [queued, asked, started, delivered, ended('ev_1')], 'ev_1'],
  ['delivered in a run that is open', [queued, asked, delivered, ended('ev_1'), ended('ev_2')], 'ev_1'],
  ['the open run ends before the delivery', [queued, asked, ended('ev_1'), started, delivered, ended('ev_2')], 'ev_2'],
  ['interrupted before its run started', [queued, asked, ['run.stopping', { request: 'ev_r' }]], 'stopped'],
  [
    'the open run is interrupted, the wish is spent',
    [queued, asked, ['run.stopping', { run: 'ev_o' }], ended('ev_o')],
    'ev_o',
  ],
  ['withdrawn', [queued, asked, ['message.withdrawn', { queued: 'ev_q' }]], 'withdrawn'],
  ['not yet', [queued, asked, started], null],
])('%s', (_, steps, over) => {
  expect(overOf(steps)).toBe(over)
})

test('a command that found a run open waits for its end', () => {
  expect(overOf([ended('ev_1')], true)).toBe('ev_1')
})
