// The half of the state that hangs on the tree: how each branch event changes Branch. Reads branch events only.
import { canonicalJson, type Event, type EventOf, type Hash } from '@tenon/protocol'
import { additionPart, extendView, messagePart } from '../context/view.ts'
import { linkSeen } from './seen.ts'
import type { Batch, Branch, Call, Node, Print } from './state.ts'
import { emptyBranch } from './state.ts'

/** Tools that end a run when they succeed. */
export const isFinishing = (tool: string): boolean => tool === 'Finish'

const printLimit = 20

/** Branch after an event that is not a result. `parent` is the node it was appended to. */
export function foldBranch(branch: Branch, event: Event, parent: Node | null, hash: Hash): Branch {
  switch (event.type) {
    case 'session.opened':
      return emptyBranch
    case 'message.added':
      return foldMessage(branch, event, parent, hash)
    case 'context.set': {
      const { id, seq, hash: setHash, model, build } = event
      return { ...branch, set: { id, seq, hash: setHash, model, build } }
    }
    case 'context.added':
      return {
        ...branch,
        warned: branch.warned || event.reason === 'limit',
        view: extendView(branch.view, 'user', additionPart(event, hash), hash),
      }
    case 'tool.started':
      return event.ref.tool === 'Bash' ? { ...branch, edited: false } : branch
    case 'file.changed': {
      const seen = event.after ? linkSeen(branch.seen, { path: event.path, sha256: event.after.sha256 }) : branch.seen
      return { ...branch, edited: true, seen }
    }
    case 'todos.changed':
      return { ...branch, todos: event.todos }
    default:
      return branch
  }
}

function foldMessage(branch: Branch, event: EventOf<'message.added'>, parent: Node | null, hash: Hash): Branch {
  const role = event.role === 'assistant' ? 'assistant' : 'user'
  const seen = { ...branch, view: extendView(branch.view, role, messagePart(event, hash), hash) }
  if (event.role === 'assistant') return foldReply(seen, event)
  if (event.role === 'harness') return foldHarness(seen, event)
  const boundary = parent === null || parent.branch !== null
  return {
    ...seen,
    owed: isOnlyCalls(event) ? seen.owed : 'message',
    turns: 0,
    person: event.seq,
    empties: 0,
    continues: 0,
    refusals: 0,
    silent: 0,
    nudged: { todos: 0, verify: 0 },
    windDown: null,
    prints: [],
    moves: 0,
    loop: { rung: 0, at: 0, repeated: [] },
    finish: null,
    reply: null,
    persons: boundary ? { value: parent, rest: branch.persons } : branch.persons,
  }
}

/** A person's own call alone asks the model for nothing. */
const isOnlyCalls = (event: EventOf<'message.added'>): boolean => event.parts.every((part) => part.type === 'call')

function foldReply(branch: Branch, event: EventOf<'message.added'>): Branch {
  const calls = event.parts.filter((part) => part.type === 'call').length
  const said = event.parts.some((part) => part.type === 'text' && part.text.trim() !== '')
  const empty = calls === 0 && !said
  const finish = event.finish ?? 'stop'
  return {
    ...branch,
    owed: null,
    turns: branch.turns + 1,
    empties: empty && finish !== 'length' ? branch.empties + 1 : 0,
    continues: finish === 'length' ? branch.continues + 1 : 0,
    refusals: finish === 'refused' ? branch.refusals + 1 : 0,
    silent: calls === 0 ? branch.silent + 1 : 0,
    windDown: branch.windDown === 'asked' ? 'said' : null,
    moves: branch.moves + 1,
    finish: null,
    reply: { id: event.id, finish, calls, empty },
  }
}

function foldHarness(branch: Branch, event: EventOf<'message.added'>): Branch {
  const owed = 'message' as const
  if (event.kind === 'windDown') return { ...branch, owed, windDown: 'asked' }
  if (event.kind === 'loop') {
    const repeated = [...new Set(branch.prints.slice(-3).map((print) => print.call))]
    return { ...branch, owed, loop: { rung: Math.max(1, branch.loop.rung), at: branch.moves, repeated } }
  }
  const todos =
    branch.nudged.todos + (event.parts.some((part) => part.type === 'text' && part.text.includes(todoMark)) ? 1 : 0)
  const verify =
    branch.nudged.verify + (event.parts.some((part) => part.type === 'text' && part.text.includes(verifyMark)) ? 1 : 0)
  return { ...branch, owed, nudged: { todos, verify } }
}

/** Words by which a nudge is counted: a branch fold may only read what the branch holds. */
export const todoMark = 'Open todos:'
export const verifyMark = 'Changed and not checked:'

/** Branch after the result of one call; the batch is looked at before the result is put into it. */
export function foldResult(branch: Branch, event: EventOf<'tool.finished'>, call: Call, hash: Hash): Branch {
  const print = toPrint(event, call, hash)
  const prints = [...branch.prints.slice(1 - printLimit), print]
  const repeated = branch.loop.repeated.includes(print.call)
  const skipped = event.status === 'cancelled' && branch.loop.rung > 0 && repeated
  const rung = skipped ? branch.loop.rung + 1 : repeated ? branch.loop.rung : 0
  const finish = isFinishing(event.ref.tool) && event.status === 'ok' ? outcomeOf(event) : branch.finish
  let seen = branch.seen
  for (const file of event.seen ?? []) seen = linkSeen(seen, file)
  return {
    ...branch,
    prints,
    moves: branch.moves + 1,
    loop: { rung, at: rung === 0 ? 0 : branch.loop.at, repeated: rung === 0 ? [] : branch.loop.repeated },
    finish,
    seen,
  }
}

const outcomeOf = (event: EventOf<'tool.finished'>): string => {
  const value = event.structured
  const outcome = typeof value === 'object' && value !== null && 'outcome' in value ? value.outcome : undefined
  return typeof outcome === 'string' ? outcome : 'unknown'
}

/** Fingerprint of tool and input: sorted keys, `description` ignored. */
export function callPrint(tool: string, input: unknown, hash: Hash): string {
  const fields = typeof input === 'object' && input !== null ? { ...input, description: undefined } : input
  return short(hash(`${tool}\n${canonicalJson(fields)}`))
}

/** Enough to tell twenty calls apart; so short that the engine copies it instead of keeping the whole. */
const short = (hex: string): string => hex.slice(0, 12)

function toPrint(event: EventOf<'tool.finished'>, call: Call, hash: Hash): Print {
  // Durations differ from run to run without meaning anything.
  const text = canonicalJson(event.content).replace(/\b\d+(\.\d+)? ?(ms|s|seconds?)\b/g, 'T')
  return {
    call: callPrint(call.ref.tool, call.written, hash),
    result: short(hash(`${event.status}\n${text}`)),
    failed: event.status === 'error',
  }
}

/** Branch once the last result of a batch is in: the results are shown in call order, whatever order they came in. */
export function closeBatch(branch: Branch, batch: Batch, hash: Hash): Branch {
  const parts = batch.calls.flatMap(({ result }) => (result ? [result] : []))
  const role = batch.by === 'person' ? 'user' : 'tool'
  const owed = batch.by === 'person' ? branch.owed : branch.finish === null ? ('batch' as const) : null
  return { ...branch, owed, view: extendView(branch.view, role, parts, hash) }
}
