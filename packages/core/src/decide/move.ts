// move: HEAD goes to another boundary. Calls that wait are closed first, in the same append, so none runs on two branches.
import { boundaryAbove, boundaryBelow, findNode, type Node, type RunState } from '@tenon/projections'
import { type CommandOf, type EventId, place } from '@tenon/protocol'
import { cancelCalls } from '../next/close.ts'
import { accept, type Decision, refuse } from './decision.ts'

type Reason = 'move' | 'undo' | 'redo'

export function decideMove(state: RunState, command: CommandOf<'move'>): Decision {
  const asked = [command.to, command.undo, command.redo].filter((field) => field !== undefined)
  if (asked.length !== 1) {
    return refuse(
      'invalid',
      `move takes exactly one of to, undo and redo; ${asked.length} were given.`,
      'Give one of them.',
    )
  }
  if (state.run || state.requests.length > 0) {
    return refuse('busy', 'A run is open.', 'Send `interrupt`, wait until it rests, then move.')
  }
  if (command.undo !== undefined) return undo(state, command.undo)
  if (command.redo) return redo(state)
  return to(state, command.to ?? null)
}

function to(state: RunState, id: EventId | null): Decision {
  if (id === null) return go(state, null, 'move')
  const node = findNode(state, id)
  if (!node)
    return refuse('unknown_event', `No branch event ${id} is in this session.`, 'List them: `tenon session events`.')
  if (node.branch) return go(state, node, 'move')
  const before = boundaryAbove(node)?.id ?? null
  const after = boundaryBelow(state.head, node)?.id ?? null
  return refuse(
    'not_a_boundary',
    `At ${id} calls are pending or an append goes on.`,
    `Move to ${after ?? before} instead.`,
    { before, after },
  )
}

function undo(state: RunState, turns: number): Decision {
  let link = state.branch.persons
  for (let i = 1; i < turns && link; i++) link = link.rest
  if (!link) return refuse('nothing_to_undo', `The branch has fewer than ${turns} turns of yours.`, 'Undo fewer.')
  return go(state, boundaryAbove(link.value), 'undo')
}

function redo(state: RunState): Decision {
  if (!state.redo)
    return refuse('nothing_to_redo', 'Nothing was undone since the last message.', 'Use `move` with an event id.')
  return go(state, boundaryAbove(state.redo.value), 'redo')
}

function go(state: RunState, node: Node | null, reason: Reason): Decision {
  if (node === state.head) return accept()
  const closed = cancelCalls(state, 'moved away', () => true)
  const was = closed.length > 0 ? place(closed.length - 1) : (state.head?.id ?? null)
  return accept(...closed, { type: 'head.moved', by: 'person', to: node?.id ?? null, was, reason })
}
