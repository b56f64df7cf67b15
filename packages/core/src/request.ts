// The neutral request, rebuilt from the view's chain and the bodies it points to. Pure; the same bytes whoever builds it.
import { extendView, requestHash, type ViewMessage } from '@tenon/projections'
import {
  canonicalJson,
  type Event,
  type EventOf,
  type Hash,
  type Part,
  type Purpose,
  type ResultPart,
} from '@tenon/protocol'
import type { ModelMessage, ModelRequest, ModelResult } from './model.ts'

export interface RequestFacts {
  readonly purpose: Purpose
  /** As configured: `provider/id`. */
  readonly model: string
  readonly cacheKey: string
  readonly try: number
  readonly windDown: boolean
}

/** The view's events by seq, and the messages among them by id. */
interface Bodies {
  readonly bySeq: ReadonlyMap<number, Event>
  readonly byId: ReadonlyMap<string, EventOf<'message.added'>>
}

/** @param events the bodies of the view's events (`viewSeqs`) */
export function buildRequest(
  set: EventOf<'context.set'>,
  view: ViewMessage | null,
  events: readonly Event[],
  facts: RequestFacts,
): ModelRequest {
  const messages = events.flatMap((event) => (event.type === 'message.added' ? [[event.id, event] as const] : []))
  const bodies = { bySeq: new Map(events.map((event) => [event.seq, event])), byId: new Map(messages) }
  const slash = facts.model.indexOf('/')
  return {
    purpose: facts.purpose,
    model: facts.model.slice(slash + 1),
    system: { stable: set.stable, volatile: set.volatile },
    messages: chain(view).map((message) => toMessage(message, bodies)),
    tools: set.tools.map(({ name, description, schema }) => ({ name, description, schema })),
    toolChoice: facts.windDown ? 'none' : 'auto',
    output: {},
    cache: { key: facts.cacheKey },
    try: facts.try,
  }
}

/** The hash that `model.started` states, taken again over the bodies: equal, or the log or the build changed. */
export function rebuiltHash(
  set: EventOf<'context.set'>,
  view: ViewMessage | null,
  events: readonly Event[],
  windDown: boolean,
  hash: Hash,
): string {
  const bodies = new Map(events.map((event) => [event.seq, event]))
  let rebuilt: ViewMessage | null = null
  for (const { role, seqs } of chain(view)) {
    const parts = seqs.map((seq) => ({ seq, chars: 0, hash: hash(canonicalJson(shown(bodies.get(seq)))) }))
    rebuilt = extendView(rebuilt, role, parts, hash)
  }
  return requestHash(setHash(set, hash), rebuilt, windDown ? 'none' : 'auto', hash)
}

export function setHash(set: Pick<EventOf<'context.set'>, 'stable' | 'volatile' | 'tools'>, hash: Hash): string {
  const blocks = [...set.stable, ...set.volatile].map(({ id, text }) => ({ id, text }))
  const tools = set.tools.map(({ name, description, schema }) => ({ name, description, schema }))
  return hash(canonicalJson({ blocks, tools }))
}

/** What the chain hashes of each event: the view's own rule, applied to the body. */
function shown(event: Event | undefined): unknown {
  if (event?.type === 'message.added')
    return { role: event.role, parts: spoken(event.parts), provider: event.provider, model: event.model }
  if (event?.type === 'context.added') return event.parts
  if (event?.type === 'tool.finished')
    return { call: event.ref.call, status: event.status, content: event.content, hint: event.hint }
  return null
}

function chain(view: ViewMessage | null): ViewMessage[] {
  const messages: ViewMessage[] = []
  for (let message = view; message; message = message.prev) messages.push(message)
  return messages.reverse()
}

const spoken = (parts: readonly Part[]): Part[] =>
  parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')

function toMessage(message: ViewMessage, bodies: Bodies): ModelMessage {
  const events = message.seqs.flatMap((seq) => bodies.bySeq.get(seq) ?? [])
  if (message.role === 'tool')
    return {
      role: 'tool',
      results: events.flatMap((event) => (event.type === 'tool.finished' ? [toResult(event, bodies)] : [])),
    }
  const [first] = events
  if (message.role === 'assistant' && first?.type === 'message.added') {
    return { role: 'assistant', parts: spoken(first.parts), provider: first.provider ?? '', model: first.model ?? '' }
  }
  return { role: 'user', parts: events.flatMap((event) => userParts(event, bodies)) }
}

function toResult(event: EventOf<'tool.finished'>, bodies: Bodies): ModelResult {
  const { call, tool } = event.ref
  const content: readonly ResultPart[] = event.hint
    ? [...event.content, { type: 'text', text: event.hint }]
    : event.content
  return { call, name: wireName(event, bodies) ?? tool, status: event.status, content }
}

/** The name that the model used for the tool; providers that match results by name need it. */
function wireName({ ref }: EventOf<'tool.finished'>, bodies: Bodies): string | undefined {
  const calls = bodies.byId.get(ref.message)?.parts.filter((part) => part.type === 'call')
  return calls?.find(({ id }) => id === ref.call)?.name
}

/** A person's own call and its result are told as text of that person's message. */
function userParts(event: Event, bodies: Bodies): Part[] {
  if (event.type === 'context.added') return [...event.parts]
  if (event.type === 'tool.finished')
    return [
      { type: 'text', text: `Result of ${wireName(event, bodies) ?? event.ref.tool}:\n${resultText(event.content)}` },
    ]
  if (event.type !== 'message.added') return []
  return spoken(event.parts).map((part) =>
    part.type === 'call' ? { type: 'text', text: `I ran ${part.name} ${canonicalJson(part.input)}` } : part,
  )
}

/** Result parts as the text that every provider takes. */
export const resultText = (content: readonly ResultPart[]): string =>
  content
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'error') return `Error (${part.code}): ${part.message} ${part.next}`
      return part.type === 'file' ? `[file ${part.path}]` : `[image ${part.mime}]`
    })
    .join('\n')
