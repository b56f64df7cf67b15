// Moving HEAD in the tree of nodes: take the node's Branch, no batch. Cost O(nodes) to find a node by id.
import type { EventId, EventOf } from '@tenon/protocol'
import { emptyBranch, type Linked, type Node, type RunState } from './state.ts'

/** The node with this id, wherever in the tree; `undefined` for ledger events and unknown ids. */
export function findNode(state: Pick<RunState, 'head' | 'left'>, id: EventId): Node | undefined {
  const met = new Set<Node>()
  for (const tip of tips(state)) {
    for (let node: Node | null = tip; node && !met.has(node); node = node.parent) {
      if (node.id === id) return node
      met.add(node)
    }
  }
  return undefined
}

function* tips(state: Pick<RunState, 'head' | 'left'>): Generator<Node> {
  if (state.head) yield state.head
  for (let link = state.left; link; link = link.rest) yield link.value
}

export function moveHead(state: RunState, event: EventOf<'head.moved'>): RunState {
  const node = event.to === null ? null : (findNode(state, event.to) ?? null)
  const from = state.head
  const left: Linked<Node> | null = from ? { value: from, rest: state.left } : state.left
  return {
    ...state,
    head: node,
    left,
    redo:
      event.reason === 'undo' && from
        ? { value: from, rest: state.redo }
        : event.reason === 'redo'
          ? (state.redo?.rest ?? null)
          : null,
    branch: node?.branch ?? emptyBranch,
    batch: null,
    anchor: node?.id ?? null,
    ended: [],
    failures: null,
  }
}

/** The nearest boundary at or above a node. */
export function boundaryAbove(node: Node | null): Node | null {
  for (let at = node; at; at = at.parent) if (at.branch) return at
  return null
}

/** The nearest boundary below `node` on the way from it to HEAD, or `null`. */
export function boundaryBelow(head: Node | null, node: Node): Node | null {
  let found: Node | null = null
  for (let at = head; at && at !== node; at = at.parent) if (at.branch) found = at
  return found
}
