// A live view of one session: the run projection, kept fresh, and what is being said and printed right now.
import type { Event, Failure, FrameOf, Live, RunView } from '@tenon/protocol'
import type { StreamItem } from './stream.ts'

/** A message or a tool's output that is still growing; the durable event that replaces it retires it. */
export interface OpenItem {
  readonly key: string
  readonly of: Exclude<Live, { type: 'message.dropped' | 'status' | 'tool.progress' }>
  readonly text: string
  /** A fragment is missing: the text has a hole until the stored event comes. */
  readonly gap: boolean
}

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'retrying'; readonly inMs: number; readonly failure: Failure }

export interface LiveView {
  /** `null` until first fetched. While retrying it is what was last known: the session's status is then unknown. */
  readonly run: RunView | null
  readonly open: readonly OpenItem[]
  readonly connection: Connection
}

export const emptyView: LiveView = { run: null, open: [], connection: { state: 'connecting' } }

/** The view after one item of the stream, as far as the item alone tells; the run projection is fetched. */
export function foldView(view: LiveView, item: StreamItem): LiveView {
  switch (item.t) {
    case 'hello':
      return { ...view, open: [], connection: { state: 'live' } }
    case 'events':
      return { ...view, open: item.events.reduce(retire, view.open) }
    case 'live':
    case 'snapshot':
      return { ...view, open: foldOpen(view.open, item) }
    case 'retrying':
      return { ...view, connection: { state: 'retrying', inMs: item.inMs, failure: item.failure } }
    default:
      return view
  }
}

/** Open items after a fragment. Dropping fragments never changes anything but these. */
function foldOpen(open: readonly OpenItem[], item: FrameOf<'live'> | FrameOf<'snapshot'>): readonly OpenItem[] {
  const { fragment } = item
  if (fragment.type === 'message.dropped') return open.filter(({ of }) => messageOf(of) !== fragment.message)
  if (fragment.type === 'status' || fragment.type === 'tool.progress') return open
  const key = keyOf(fragment)
  const known = open.find((other) => other.key === key)
  const first = item.t === 'live' ? (item.first ?? fragment.n) : 0
  if (item.t === 'snapshot') return put(open, { key, of: fragment, text: fragment.text, gap: item.cut > 0 })
  if (!known)
    return put(open, { key, of: fragment, text: fragment.text, gap: first !== 0 && fragment.type === 'tool.output' })
  if (fragment.n <= known.of.n) return open
  return put(open, {
    key,
    of: fragment,
    text: known.text + fragment.text,
    gap: known.gap || (fragment.type === 'tool.output' && first !== known.of.n + 1),
  })
}

const put = (open: readonly OpenItem[], item: OpenItem): readonly OpenItem[] =>
  open.some(({ key }) => key === item.key)
    ? open.map((other) => (other.key === item.key ? item : other))
    : [...open, item]

const keyOf = (of: OpenItem['of']): string =>
  of.type === 'message.delta' ? `${of.message} ${of.part} ${of.kind}` : `${of.ref.message} ${of.ref.call} ${of.stream}`

const messageOf = (of: OpenItem['of']): string | undefined => (of.type === 'message.delta' ? of.message : undefined)

function retire(open: readonly OpenItem[], event: Event): readonly OpenItem[] {
  if (event.type === 'message.added') return open.filter(({ of }) => messageOf(of) !== event.id)
  if (event.type !== 'tool.finished') return open
  const { ref } = event
  return open.filter(
    ({ of }) => of.type !== 'tool.output' || of.ref.message !== ref.message || of.ref.call !== ref.call,
  )
}
