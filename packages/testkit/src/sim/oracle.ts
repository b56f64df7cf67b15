// What must hold of a log whatever happened: the laws, checked on the stored events by code that shares nothing with the loop.
import { next, rebuiltHash } from '@tenon/core'
import { CallBook, createFold, emptyRun, headOf, indexById, path, type RunState, viewSeqs } from '@tenon/projections'
import { type Event, type EventOf, eventIssues, verdictKeys } from '@tenon/protocol'
import { sha256 } from './world.ts'

/** Problems of a stored log, each in words; empty when every law holds. `state` is the owner's durable state. */
export function logProblems(events: readonly Event[], state: RunState): string[] {
  const problems: string[] = []
  events.forEach((event, i) => {
    if (event.seq !== i) problems.push(`seq ${event.seq} at place ${i}`)
    for (const issue of eventIssues(event)) problems.push(`${event.type} ${event.seq}: ${issue}`)
  })
  const index = indexById(events)
  const branch = path(index, headOf(events))
  if ((branch.at(-1)?.id ?? null) !== (state.head?.id ?? null))
    problems.push(`HEAD by fold ${state.head?.id}, by parent walk ${branch.at(-1)?.id}`)
  for (const leaf of leaves(events)) problems.push(...callProblems(path(index, leaf.id)))
  problems.push(
    ...foldProblems(events, branch, state),
    ...orphanProblems(events, branch, state),
    ...runProblems(events),
    ...emptyRuns(events),
    ...moveProblems(events),
    ...staleProblems(events),
    ...orderProblems(events),
    ...stepProblems(events),
  )
  return problems
}

function leaves(events: readonly Event[]): Event[] {
  const parents = new Set(events.map((event) => event.parent))
  return events.filter((event) => event.parent !== undefined && !parents.has(event.id))
}

function callProblems(branch: readonly Event[]): string[] {
  const book = new CallBook()
  return branch.flatMap((event) => {
    const problem = book.add(event)
    return problem ? [`${event.type} ${event.seq}: ${problem}`] : []
  })
}

/** Calls wait only on HEAD's branch, in the open batch; an ask about a call is about one of those. */
function orphanProblems(events: readonly Event[], branch: readonly Event[], state: RunState): string[] {
  const index = indexById(events)
  const open = new Set(state.batch?.calls.flatMap(({ ref, state }) => (state === 'done' ? [] : [ref.call])))
  const left = leaves(events).flatMap((leaf) => pendingOf(path(index, leaf.id)))
  return [
    ...[...left, ...pendingOf(branch)].flatMap((call) =>
      open.has(call) ? [] : [`call ${call} waits where nobody looks`],
    ),
    ...state.asks.flatMap(({ id, ref }) =>
      ref === null || open.has(ref.call) ? [] : [`ask ${id} is about no open call`],
    ),
  ]
}

function pendingOf(branch: readonly Event[]): string[] {
  const book = new CallBook()
  for (const event of branch) book.add(event)
  return book.pending().map(({ call }) => call)
}

/** HEAD moves to boundaries only: the last event of its group, with no call pending above it. */
function moveProblems(events: readonly Event[]): string[] {
  const index = indexById(events)
  return events.flatMap((event) => {
    if (event.type !== 'head.moved' || event.to === null) return []
    const waits = pendingOf(path(index, event.to)).length > 0
    return index.get(event.to)?.more || waits ? [`head.moved ${event.seq} to ${event.to}, which is no boundary`] : []
  })
}

/** A call starts under the rules of that moment: what verdicts depend on did not change since its own. */
function staleProblems(events: readonly Event[]): string[] {
  const judged = new Map<string, number>()
  let changed = -1
  return events.flatMap((event) => {
    if (event.type === 'session.configured' && verdictKeys.some((key) => Object.hasOwn(event.set, key)))
      changed = event.seq
    if (event.type === 'tool.judged') judged.set(event.ref.call, event.seq)
    if (event.type !== 'tool.started' || (judged.get(event.ref.call) ?? -1) > changed) return []
    return [`call ${event.ref.call} started on a verdict older than the rules`]
  })
}

/** RING 8: a run that is done did something, unless what it was for was withdrawn under it. */
function emptyRuns(events: readonly Event[]): string[] {
  const ends = events.filter((event) => event.type === 'run.ended' && event.outcome === 'done')
  return ends.flatMap((end) => {
    const from = events.findLastIndex((event) => event.type === 'run.started' && event.seq < end.seq)
    const during = events.slice(from + 1, end.seq)
    const idle = !during.some((event) => event.parent !== undefined || event.type === 'message.withdrawn')
    return idle ? [`run ${events[from]?.id} did nothing`] : []
  })
}

/** G: folding the stored log anew gives the owner's state. M: the branch half needs no ledger. */
function foldProblems(events: readonly Event[], branch: readonly Event[], state: RunState): string[] {
  const fold = createFold(sha256)
  const again = events.reduce(fold, emptyRun)
  const alone = branch.reduce(fold, emptyRun)
  const problems: string[] = []
  if (shape(again) !== shape(state)) problems.push('folding the stored log gives another state')
  if (branchShape(alone) !== branchShape(state)) problems.push('the branch alone folds to another Branch')
  return problems
}

/** Everything but the tree of nodes, which is checked by its walk. */
const shape = ({ head, left, redo, branch, ...rest }: RunState): string =>
  JSON.stringify({
    ...rest,
    branch: branchBody(branch),
    depth: depth(head),
    left: left === null,
    redo: redo?.value.id ?? null,
  })

const branchShape = ({ branch }: RunState): string => JSON.stringify(branchBody(branch))

function branchBody({ persons, seen, view, ...rest }: RunState['branch']): unknown {
  return {
    ...rest,
    persons: persons?.value?.id ?? null,
    seen: seen?.value ?? null,
    view: view && { ...view, prev: view.prev?.chain ?? null },
  }
}

function depth(head: RunState['head']): number {
  let count = 0
  for (let node = head; node; node = node.parent) count++
  return count
}

/** Runs and attempts open and end once, in order; no start while one is open. */
function runProblems(events: readonly Event[]): string[] {
  const problems: string[] = []
  let run: string | null = null
  const attempts = new Set<string>()
  const asks = new Set<string>()
  for (const event of events) {
    if (event.type === 'run.started') {
      if (run) problems.push(`run ${event.id} started while ${run} is open`)
      run = event.id
    }
    if (event.type === 'run.ended') {
      if (event.run !== run) problems.push(`run.ended ${event.seq} for ${event.run}, open is ${run}`)
      run = null
    }
    if (event.type === 'model.started') attempts.add(event.id)
    if ((event.type === 'model.finished' || event.type === 'model.failed') && !attempts.delete(event.attempt))
      problems.push(`attempt ${event.attempt} closed twice`)
    if (event.type === 'ask.opened') asks.add(event.id)
    if (event.type === 'ask.closed' && !asks.delete(event.ask)) problems.push(`ask ${event.ask} closed twice`)
  }
  return problems
}

/** Calls of one reply that touch the same thing start in call order, each after the one before it has ended. */
function orderProblems(events: readonly Event[]): string[] {
  const problems: string[] = []
  const resources = new Map<string, EventOf<'tool.judged'>['resources']>()
  const finished = new Set<string>()
  const asked = new Map<string, readonly string[]>()
  for (const event of events) {
    if (event.type === 'message.added')
      asked.set(
        event.id,
        event.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])),
      )
    if (event.type === 'tool.judged') resources.set(event.ref.call, event.resources)
    if (event.type === 'tool.finished') finished.add(event.ref.call)
    if (event.type !== 'tool.started') continue
    const calls = asked.get(event.ref.message) ?? []
    for (const earlier of calls.slice(0, calls.indexOf(event.ref.call))) {
      if (finished.has(earlier)) continue
      const held = resources.get(earlier)
      const clash = !held || held.some((theirs) => event.resources.some((mine) => overlap(mine, theirs)))
      if (clash) problems.push(`call ${event.ref.call} started before ${earlier} ended`)
    }
  }
  return problems
}

type Held = EventOf<'tool.judged'>['resources'][number]

const overlap = (a: Held, b: Held): boolean =>
  (a.mode === 'exclusive' || b.mode === 'exclusive') &&
  (a.key === b.key || (isPlace(a) && isPlace(b) && (a.key === 'workspace' || b.key === 'workspace')))

const isPlace = ({ key }: Held): boolean => key === 'workspace' || key.startsWith('file:')

/** J: at every prefix `next` gives the same step twice. And each stated request hash is found again from the stored bodies. */
function stepProblems(events: readonly Event[]): string[] {
  const problems: string[] = []
  const fold = createFold(sha256)
  let state = emptyRun
  for (const event of events) {
    if (event.type === 'model.started') {
      const { set, view } = state.branch
      const stored = set ? events[set.seq] : undefined
      const bodies = viewSeqs(view).flatMap((seq) => events[seq] ?? [])
      if (stored?.type !== 'context.set') problems.push(`attempt ${event.seq} without a context`)
      else if (rebuiltHash(stored, view, bodies, event.windDown ?? false, sha256) !== event.requestHash)
        problems.push(`request hash of ${event.seq} is not found again`)
    }
    state = fold(state, event)
    const context = { now: event.at, answerer: 'some', hash: sha256, version: '0' } as const
    const [once, again] = [next(state, context), next(state, context)]
    if (JSON.stringify(once) !== JSON.stringify(again)) problems.push(`next differs at ${event.seq}`)
  }
  return problems
}
