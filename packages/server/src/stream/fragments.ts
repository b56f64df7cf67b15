// Live fragments that wait for one reader: adjacent ones are joined, beyond 256 KiB the oldest go. Nothing durable is here.
import type { RunState } from '@tenon/projections'
import { findCall } from '@tenon/projections'
import type { Live } from '@tenon/protocol'

/** Characters of text that may wait for one reader. */
const pendingLimit = 256 * 1024

interface Pending {
  readonly fragment: Live
  /** The first `n` that a joined fragment covers. */
  readonly first?: number
}

export interface PendingFragments {
  push(fragment: Live): void
  /** The oldest that `isOpen` still holds for; what is closed is dropped. */
  shift(isOpen: (fragment: Live) => boolean): Pending | undefined
}

export function createPendingFragments(limit = pendingLimit): PendingFragments {
  let items: Pending[] = []
  let size = 0
  const keep = (rule: (fragment: Live) => boolean) => {
    items = items.filter(({ fragment }) => rule(fragment))
    size = items.reduce((sum, { fragment }) => sum + sizeOf(fragment), 0)
  }
  return {
    push: (fragment) => {
      if (fragment.type === 'message.dropped') {
        keep((other) => other.type !== 'message.delta' || other.message !== fragment.message)
      } else if (fragment.type === 'status' || fragment.type === 'tool.progress') {
        // Only the newest says anything.
        const key = keyOf(fragment)
        keep((other) => keyOf(other) !== key)
      }
      const last = items.at(-1)
      const joined = last && join(last, fragment)
      if (joined) items[items.length - 1] = joined
      else items.push({ fragment })
      size += sizeOf(fragment)
      while (size > limit) size -= sizeOf(items.shift()?.fragment)
    },
    shift: (isOpen) => {
      for (let item = items.shift(); item; item = items.shift()) {
        size -= sizeOf(item.fragment)
        if (isOpen(item.fragment)) return item
      }
      return undefined
    },
  }
}

const sizeOf = (fragment: Live | undefined): number => (fragment && 'text' in fragment ? fragment.text.length : 0)

function keyOf(fragment: Live): string {
  switch (fragment.type) {
    case 'message.delta':
      return `m ${fragment.message} ${fragment.part} ${fragment.kind}`
    case 'tool.output':
      return `o ${fragment.ref.message} ${fragment.ref.call} ${fragment.stream}`
    case 'tool.progress':
      return `p ${fragment.ref.message} ${fragment.ref.call}`
    default:
      return fragment.type
  }
}

/** Two neighbours of one stream as one, or `undefined`. A gap in `n` stays visible, so it is never joined over. */
function join({ fragment: a, first }: Pending, b: Live): Pending | undefined {
  if (!('n' in a) || !('n' in b) || b.n !== a.n + 1 || keyOf(a) !== keyOf(b)) return undefined
  return { fragment: { ...b, text: a.text + b.text }, first: first ?? a.n }
}

/** Whether the durable event that retires a fragment is still to come. */
export function isOpen(state: RunState, fragment: Live): boolean {
  switch (fragment.type) {
    case 'message.delta':
      return state.attempts.some(({ message }) => message === fragment.message)
    case 'tool.output':
    case 'tool.progress':
      return findCall(state.batch, fragment.ref)?.state === 'running'
    default:
      return true
  }
}

/** The end of a text, at most `pendingLimit` characters, never cut inside a surrogate pair. */
export function tail(fragment: Live): { readonly fragment: Live; readonly cut: number } {
  if (!('text' in fragment) || fragment.text.length <= pendingLimit) return { fragment, cut: 0 }
  let cut = fragment.text.length - pendingLimit
  if (/[\udc00-\udfff]/.test(fragment.text.charAt(cut))) cut++
  return { fragment: { ...fragment, text: fragment.text.slice(cut) }, cut }
}
