// fold(state, event): the next state. Pure, total on well-linked logs, the same for the owner, a server's client and a replay.
import { type Event, type EventOf, type Hash, TenonError } from '@tenon/protocol'
import { changeCall, findCall, finishCall, isComplete, openBatch } from './batch.ts'
import { closeBatch, foldBranch, foldResult } from './branch.ts'
import { foldLedger, spendMessage } from './ledger.ts'
import { boundaryAbove, findNode } from './move.ts'
import { emptyBranch, type Node, type RunState } from './state.ts'

export type Fold = (state: RunState, event: Event) => RunState

/** @param hash hex SHA-256, taken over canonical JSON for the view's chain and the loop guard */
export function createFold(hash: Hash): Fold {
  return (state, event) => {
    const next = event.parent === undefined ? foldLedger(state, event) : foldTree(state, event, hash)
    const causes =
      event.cause && state.causes.at(-1) !== event.cause ? [...state.causes.slice(-255), event.cause] : state.causes
    return { ...next, causes, seq: event.seq }
  }
}

function foldTree(state: RunState, event: Event, hash: Hash): RunState {
  const parent = parentOf(state, event)
  const base = parent === state.head ? state : switchTo(state, parent)
  const grown = growBranch(base, event, parent, hash)
  const boundary = grown.batch === null && event.more === undefined
  const head: Node = { id: event.id, seq: event.seq, parent, branch: boundary ? grown.branch : null }
  return { ...grown, head, redo: null }
}

/** The log goes on at another node than HEAD without a stored move: the branch that is left stays reachable. */
const switchTo = (state: RunState, parent: Node | null): RunState => ({
  ...state,
  left: state.head ? { value: state.head, rest: state.left } : state.left,
  branch: boundaryAbove(parent)?.branch ?? emptyBranch,
  batch: null,
})

function parentOf(state: RunState, event: Event): Node | null {
  if (event.parent == null) return null
  if (event.parent === state.head?.id) return state.head
  const node = findNode(state, event.parent)
  if (node) return node
  throw new TenonError(
    {
      code: 'log_missing_parent',
      message: `Event ${event.id} (seq ${event.seq}) names the parent ${event.parent}, which is not in the log.`,
      action: 'Run `tenon session verify` to find the damaged place.',
    },
    { id: event.id, seq: event.seq },
  )
}

function growBranch(state: RunState, event: Event, parent: Node | null, hash: Hash): RunState {
  if (event.type === 'tool.finished') return finishTool(state, event, hash)
  const branch = foldBranch(state.branch, event, parent, hash)
  switch (event.type) {
    case 'session.opened':
      return openSession({ ...state, branch }, event)
    case 'message.added': {
      const spent = event.queued ? spendMessage(state, event.queued) : state
      const delivered = event.queued ? [...state.delivered.slice(-255), event.queued] : state.delivered
      const batch = openBatch(event, branch)
      return { ...spent, branch, batch, delivered, anchor: event.id, ended: [], failures: null }
    }
    case 'tool.started':
      return { ...state, branch, batch: changeCall(state.batch, event.ref, (call) => ({ ...call, state: 'running' })) }
    default:
      return { ...state, branch }
  }
}

function finishTool(state: RunState, event: EventOf<'tool.finished'>, hash: Hash): RunState {
  const call = findCall(state.batch, event.ref)
  if (!call) return state
  const batch = changeCall(state.batch, event.ref, (open) => finishCall(open, event, hash))
  const branch = foldResult(state.branch, event, call, hash)
  const denials =
    event.status === 'denied' && state.run ? [...state.run.denials, event.ref].slice(0, 1000) : state.run?.denials
  const run = state.run && denials ? { ...state.run, denials } : state.run
  const next = { ...state, run, branch, batch, anchor: event.id, ended: [] }
  return batch && isComplete(batch) ? { ...next, batch: null, branch: closeBatch(branch, batch, hash) } : next
}

const openSession = (state: RunState, event: EventOf<'session.opened'>): RunState => ({
  ...state,
  session: { id: event.session, cwd: event.cwd, project: event.project, openedAt: event.at },
  settings: { ...state.settings, model: event.model, mode: event.mode, agent: event.agent, title: event.title ?? null },
  anchor: event.id,
})
