// What is being said: fragments grow an item, the durable event or a drop retires it, a hole is shown as one.
import type { CallRef, Event, Live } from '@tenon/protocol'
import { expect, it } from 'vitest'
import { emptyView, foldView, type LiveView } from './view.ts'

const delta = (n: number, text: string, part = 0): Live => ({
  type: 'message.delta',
  message: 'ev_m',
  part,
  kind: 'text',
  text,
  n,
})
const ref: CallRef = { message: 'ev_m', call: 'c1', tool: 'Bash' }
const output = (n: number, text: string): Live => ({ type: 'tool.output', ref, stream: 'out', text, n })
const live = (fragment: Live, first?: number) =>
  ({ t: 'live', fragment, ...(first === undefined ? {} : { first }) }) as const
const texts = (view: LiveView) => view.open.map(({ text, gap }) => (gap ? `${text} (gap)` : text))
const fold = (...items: Parameters<typeof foldView>[1][]) => texts(items.reduce(foldView, emptyView))
/** Only what the fold reads. */
const events = (event: Pick<Event, 'type'> & Record<string, unknown>) =>
  ({ t: 'events', first: 0, last: 0, events: [event as unknown as Event] }) as const

it('grows items by part and stream', () => {
  expect(fold(live(delta(0, 'a')), live(delta(1, 'b', 1)), live(delta(2, 'c')), live(output(0, 'x')))).toEqual([
    'ac',
    'b',
    'x',
  ])
})

it('goes on after a snapshot without repeating it', () => {
  const snapshot = { t: 'snapshot', fragment: delta(3, 'Hello'), cut: 0 } as const
  expect(fold(snapshot, live(delta(3, 'again')), live(delta(5, ' you'), 4))).toEqual(['Hello you'])
  expect(fold({ ...snapshot, cut: 7 })).toEqual(['Hello (gap)'])
})

it('shows a hole in output, not joined fragments, as one', () => {
  expect(fold(live(output(0, 'a')), live(output(2, 'c'), 1))).toEqual(['ac'])
  expect(fold(live(output(0, 'a')), live(output(2, 'c')))).toEqual(['ac (gap)'])
})

it('retires by the stored event, by a drop, and when the connection is made anew', () => {
  expect(fold(live(delta(0, 'a')), live(output(0, 'x')), events({ type: 'message.added', id: 'ev_m' }))).toEqual(['x'])
  expect(fold(live(delta(0, 'a')), live(output(0, 'x')), events({ type: 'tool.finished', ref }))).toEqual(['a'])
  expect(fold(live(delta(0, 'a')), live({ type: 'message.dropped', message: 'ev_m', reason: 'retry' }))).toEqual([])
  const lost = {
    t: 'retrying',
    inMs: 250,
    failure: { code: 'unreachable', message: '', action: '', retryable: true },
  } as const
  const view = foldView(foldView(emptyView, live(delta(0, 'a'))), lost)
  expect([texts(view), view.connection.state]).toEqual([['a'], 'retrying'])
})
