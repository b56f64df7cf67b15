// Live fragments: to whoever listens now. Droppable by design: a reader that lags loses the oldest, nobody is ever held up.
import type { Live } from '@tenon/protocol'

const pendingLimit = 1_000
const partialLimit = 256 * 1024

export interface LiveHub {
  emit(fragment: Live): void
  /** Fragments from now on, until the signal aborts. */
  listen(signal: AbortSignal): AsyncIterable<Live>
  /** What is open now, one fragment a message part or tool output, its newest 256 KiB. */
  partial(): readonly Live[]
  /** The durable event has come: the fragments of this message or call are retired. */
  retire(id: string): void
}

export function createLiveHub(): LiveHub {
  const listeners = new Set<(fragment: Live) => void>()
  const open = new Map<string, { id: string; last: Live }>()
  return {
    emit(fragment) {
      remember(open, fragment)
      for (const tell of listeners) tell(fragment)
    },
    listen: (signal) => listen(listeners, signal),
    partial: () => [...open.values()].map(({ last }) => last),
    retire(id) {
      for (const [key, item] of open) if (item.id === id) open.delete(key)
    },
  }
}

function remember(open: Map<string, { id: string; last: Live }>, fragment: Live): void {
  if (fragment.type === 'message.dropped') {
    for (const [key, item] of open) if (item.id === fragment.message) open.delete(key)
  } else if (fragment.type === 'message.delta')
    keep(open, `${fragment.message}/${fragment.part}`, fragment.message, fragment)
  else if (fragment.type === 'tool.output')
    keep(open, `${fragment.ref.call}/${fragment.stream}`, fragment.ref.call, fragment)
}

type Growing = Extract<Live, { type: 'message.delta' | 'tool.output' }>

function keep(open: Map<string, { id: string; last: Live }>, key: string, id: string, fragment: Growing): void {
  const before = open.get(key)?.last
  const text = (before && 'text' in before ? before.text : '') + fragment.text
  open.set(key, { id, last: { ...fragment, text: text.slice(-partialLimit) } })
}

async function* listen(listeners: Set<(fragment: Live) => void>, signal: AbortSignal): AsyncGenerator<Live> {
  const pending: Live[] = []
  let wake = () => {}
  const tell = (fragment: Live) => {
    pending.push(fragment)
    if (pending.length > pendingLimit) pending.shift()
    wake()
  }
  const stop = () => wake()
  listeners.add(tell)
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      const fragment = pending.shift()
      if (fragment) yield fragment
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    listeners.delete(tell)
    signal.removeEventListener('abort', stop)
  }
}
