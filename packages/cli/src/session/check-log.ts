// What must hold of a log: whole, in order, well formed, linked, its blobs there, each request's hash the same when it is
// taken again. Pure but for the blobs.
import { type Blobs, type LogContents, rebuiltHash } from '@tenon/core'
import {
  CallBook,
  createFold,
  emptyRun,
  projectionVersion,
  type RunState,
  requestHash,
  viewSeqs,
} from '@tenon/projections'
import { type Blob, type Event, type EventOf, eventIssues, type Hash, isNewer, TenonError } from '@tenon/protocol'

export interface Problem {
  readonly seq?: number
  readonly text: string
}

export interface LogToCheck {
  readonly contents: LogContents
  readonly events: readonly Event[]
  readonly blobs: Pick<Blobs, 'get'>
  readonly hash: Hash
}

export async function findProblems({ contents, events, blobs, hash }: LogToCheck): Promise<readonly Problem[]> {
  const whole: Problem[] = contents.whole ? [] : [{ text: 'Acknowledged events are missing.' }]
  return [
    ...whole,
    ...orderProblems(events),
    ...events.flatMap(shapeProblems),
    ...linkProblems(events),
    ...foldProblems(events, hash),
    ...(await blobProblems(events, blobs)),
  ]
}

/** Seqs from 0 without gap, ids once, parents before their children. */
function orderProblems(events: readonly Event[]): readonly Problem[] {
  const problems: Problem[] = []
  const branch = new Set<string>()
  const ids = new Map<string, number>()
  for (const [i, { seq, id, parent }] of events.entries()) {
    if (seq !== i) problems.push({ seq, text: `seq ${seq} stands where ${i} should` })
    const other = ids.get(id)
    if (other !== undefined) problems.push({ seq, text: `the id ${id} is that of seq ${other}, too` })
    ids.set(id, seq)
    if (typeof parent === 'string' && !branch.has(parent))
      problems.push({ seq, text: `the parent ${parent} does not stand before it` })
    if (parent !== undefined) branch.add(id)
  }
  return problems
}

function shapeProblems(event: Event): readonly Problem[] {
  if (isNewer(event))
    return [{ seq: event.seq, text: `${event.type} has version ${event.v}, which a newer Tenon wrote` }]
  return eventIssues(event).map((issue) => ({ seq: event.seq, text: `${event.type}: ${issue}` }))
}

/** The three identities; and at the end only the calls of the open batch may lack a result. */
function linkProblems(events: readonly Event[]): readonly Problem[] {
  const book = new CallBook()
  return events.flatMap((event) => {
    const problem = book.add(event)
    return problem === undefined ? [] : [{ seq: event.seq, text: `${event.type}: ${problem}` }]
  })
}

function foldProblems(events: readonly Event[], hash: Hash): readonly Problem[] {
  const fold = createFold(hash)
  const problems: Problem[] = []
  const book = new CallBook()
  /** The newest request of each context: its hash is taken again over the bodies. */
  const newest = new Map<string, { readonly event: EventOf<'model.started'>; readonly state: RunState }>()
  let state = emptyRun
  try {
    for (const event of events) {
      if (event.type === 'model.started' && event.projection === projectionVersion) {
        problems.push(...stateProblems(event, state, hash))
        newest.set(event.contextSet, { event, state })
      }
      book.add(event)
      state = fold(state, event)
    }
  } catch (error) {
    const seq = error instanceof TenonError && typeof error.facts.seq === 'number' ? { seq: error.facts.seq } : {}
    return [...problems, { ...seq, text: error instanceof Error ? error.message : String(error) }]
  }
  const open = new Set(state.batch?.calls.map(({ ref }) => `${ref.message} ${ref.call}`))
  for (const ref of book.pending()) {
    if (!open.has(`${ref.message} ${ref.call}`))
      problems.push({ text: `the call ${ref.call} of ${ref.message} has no result` })
  }
  for (const { event, state: at } of newest.values()) problems.push(...bodyProblems(event, at, events, hash))
  return problems
}

/** The chain of hashes that the fold makes from the events themselves gives each request's hash. */
function stateProblems(event: EventOf<'model.started'>, { branch }: RunState, hash: Hash): readonly Problem[] {
  const { set, view } = branch
  if (!set) return [{ seq: event.seq, text: 'a request without a context' }]
  const rebuilt = requestHash(set.hash, view, event.windDown ? 'none' : 'auto', hash)
  return rebuilt === event.requestHash
    ? []
    : [{ seq: event.seq, text: `the request's hash is ${event.requestHash}; from the log it is ${rebuilt}` }]
}

/** The same from the bodies alone, blocks and tools included: all of a branch's earlier requests are prefixes of its newest. */
function bodyProblems(
  event: EventOf<'model.started'>,
  { branch }: RunState,
  events: readonly Event[],
  hash: Hash,
): readonly Problem[] {
  const set = events[branch.set?.seq ?? -1]
  if (set?.type !== 'context.set') return [{ seq: event.seq, text: 'the context of the request is not in the log' }]
  const bodies = viewSeqs(branch.view).flatMap((seq) => events[seq] ?? [])
  const rebuilt = rebuiltHash(set, branch.view, bodies, event.windDown ?? false, hash)
  return rebuilt === event.requestHash
    ? []
    : [
        {
          seq: event.seq,
          text: `the request rebuilt from its bodies has the hash ${rebuilt}, stated is ${event.requestHash}`,
        },
      ]
}

async function blobProblems(events: readonly Event[], blobs: Pick<Blobs, 'get'>): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const event of events) {
    for (const { sha256, bytes } of blobsOf(event)) {
      if (seen.has(sha256)) continue
      seen.add(sha256)
      const problem = await blobs.get(sha256).then(
        (content) =>
          content.length === bytes ? undefined : `the blob ${sha256} has ${content.length} bytes, not ${bytes}`,
        (error: Error) => error.message,
      )
      if (problem) problems.push({ seq: event.seq, text: problem })
    }
  }
  return problems
}

/** Blobs wherever they stand in an event. */
function blobsOf(value: unknown): readonly Blob[] {
  if (typeof value !== 'object' || value === null) return []
  if ('sha256' in value && 'bytes' in value && 'mime' in value) return [value as Blob]
  return Object.values(value).flatMap(blobsOf)
}
