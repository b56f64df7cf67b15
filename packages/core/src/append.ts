// Append: stamps drafts with seq, id, parent and time, checks the three identities, and folds them. The only way into the tip.
import { type Fold, findCall, type RunState } from '@tenon/projections'
import { type Draft, type Event, type EventId, eventKinds, isKnownType, placeOf, TenonError } from '@tenon/protocol'

export interface Stamps {
  readonly now: () => number
  /** 26 characters, ascending. */
  readonly ids: () => string
  readonly fold: Fold
}

export interface Appended {
  readonly events: readonly Event[]
  readonly state: RunState
}

/** @throws TenonError `bad_link` when a tool event names no call that can take it */
export function appendGroup(state: RunState, drafts: readonly Draft[], stamps: Stamps): Appended {
  const at = stamps.now()
  const ids: EventId[] = drafts.map((draft): EventId => reservedId(state, draft) ?? `ev_${stamps.ids()}`)
  const lastBranch = drafts.findLastIndex((draft) => eventKinds[draft.type].branch)
  const events: Event[] = []
  let tip = state
  for (const [i, draft] of drafts.entries()) {
    const { v, branch } = eventKinds[draft.type]
    const tree = branch ? { parent: tip.head?.id ?? null, ...(i < lastBranch && { more: true as const }) } : {}
    const body = resolvePlaces(draft, ids, stamps)
    // The cast joins what the table above guarantees: this type's version, and a parent exactly on branch events.
    const event = { v, seq: state.seq + 1 + i, id: ids[i], ...tree, at, ...body } as unknown as Event
    checkLink(tip, event)
    tip = stamps.fold(tip, event)
    events.push(event)
  }
  return { events, state: tip }
}

/** The reply's id was reserved by the attempt's start, so that live fragments could name it. */
function reservedId(state: RunState, draft: Draft): EventId | undefined {
  if (draft.type !== 'message.added' || draft.attempt === undefined) return undefined
  return state.attempts.find(({ id }) => id === draft.attempt)?.message
}

/** Replaces `place(n)` and `fresh` in the draft's own fields; ids stand nowhere deeper. */
function resolvePlaces(draft: Draft, ids: readonly EventId[], stamps: Stamps): Record<string, unknown> {
  const entries = Object.entries(draft).map(([key, value]) => {
    if (typeof value !== 'string' || !value.startsWith('ev_@')) return [key, value]
    const index = placeOf(value)
    return [key, index === undefined ? `ev_${stamps.ids()}` : ids[index]]
  })
  return Object.fromEntries(entries)
}

function checkLink(state: RunState, event: Event): void {
  if (!isKnownType(event.type)) return
  if (event.type !== 'tool.started' && event.type !== 'tool.finished' && event.type !== 'tool.judged') return
  const call = findCall(state.batch, event.ref)
  const problem = call ? stateProblem(event, call.state) : missingProblem(state, event.ref)
  if (!problem) return
  const { message, call: id, tool } = event.ref
  throw new TenonError(
    {
      code: 'bad_link',
      message: `${event.type} for message ${message}, call ${id}, tool ${tool}: ${problem}.`,
      action: 'A result needs the message, the call id and the tool of one call that has none.',
    },
    { ref: event.ref, problem },
  )
}

function missingProblem(state: RunState, ref: { message: string; call: string }): string {
  if (state.batch?.message !== ref.message) return 'unknown message, or all its calls have results'
  return state.batch.calls.some((call) => call.ref.call === ref.call) ? 'wrong tool' : 'wrong call'
}

function stateProblem(event: Event, state: string): string | undefined {
  if (state === 'done') return event.type === 'tool.started' ? 'start after the result' : 'second result'
  if (event.type === 'tool.started' && state === 'running') return 'second start'
  if (event.type !== 'tool.finished' || state === 'running') return undefined
  const ran = event.status === 'ok' || event.status === 'error'
  return ran && event.unstarted === undefined ? 'it was not started' : undefined
}
