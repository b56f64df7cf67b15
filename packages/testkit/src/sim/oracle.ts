// What must hold of a log whatever happened: the laws, checked on the stored events by code that shares nothing with the loop.
import { next, rebuiltHash } from '@tenon/core'
import { CallBook, createFold, emptyRun, headOf, indexById, path, type RunState, viewSeqs } from '@tenon/projections'
import { type Event, type EventOf, eventIssues } from '@tenon/protocol'
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
    ...runProblems(events),
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
