// The model's view as a chain that hangs on the branch: one link a message, holding seqs and hashes, never bodies.
// Appending costs the new message only; moving HEAD brings the right chain back; the request's hash is read off its end.
import { canonicalJson, type EventOf, type Hash } from '@tenon/protocol'

export interface ViewPart {
  /** Of the event that holds the body. */
  readonly seq: number
  readonly hash: string
  readonly chars: number
}

export interface ViewMessage {
  readonly prev: ViewMessage | null
  readonly role: 'user' | 'assistant' | 'tool'
  readonly parts: readonly ViewPart[]
  /** Hash over every message before this one. */
  readonly before: string
  readonly count: number
  readonly chars: number
}

/** Version of these rules: stored with each request so that a later build knows what it rebuilds. */
export const projectionVersion = 1

/** The chain with one more message, or with more parts on its last one: adjacent user texts are one message. */
export function extendView(
  view: ViewMessage | null,
  role: ViewMessage['role'],
  parts: readonly ViewPart[],
  hash: Hash,
): ViewMessage | null {
  if (parts.length === 0) return view
  const chars = parts.reduce((sum, part) => sum + part.chars, 0)
  if (view?.role === 'user' && role === 'user') {
    return { ...view, parts: [...view.parts, ...parts], chars: view.chars + chars }
  }
  return {
    prev: view,
    role,
    parts,
    before: view ? chainHash(view, hash) : '',
    count: (view?.count ?? 0) + 1,
    chars: (view?.chars ?? 0) + chars,
  }
}

/** Hash over the messages up to and including this one. */
export const chainHash = (view: ViewMessage, hash: Hash): string =>
  hash(`${view.before}\n${view.role}\n${view.parts.map((part) => part.hash).join('\n')}`)

/** What `model.started.requestHash` holds: blocks and tools by the hash of their `context.set`, messages by the chain. */
export const requestHash = (setHash: string, view: ViewMessage | null, toolChoice: string, hash: Hash): string =>
  hash(`${setHash}\n${view ? chainHash(view, hash) : ''}\n${toolChoice}`)

/** A message's own part of the chain; nothing when it has nothing to say. */
export function messagePart(event: EventOf<'message.added'>, hash: Hash): readonly ViewPart[] {
  const parts = event.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  // A reply of reasoning alone has nothing that a provider takes back without the text or call it led to.
  if (parts.length === 0 || (event.role === 'assistant' && parts.every((part) => part.type === 'reasoning'))) return []
  return [toPart(event.seq, { role: event.role, parts, provider: event.provider, model: event.model }, hash)]
}

export const additionPart = (event: EventOf<'context.added'>, hash: Hash): readonly ViewPart[] =>
  event.parts.length === 0 ? [] : [toPart(event.seq, event.parts, hash)]

/** What the model sees of a result; time spent and notes for people are not part of it. */
export const resultPartOf = (event: EventOf<'tool.finished'>, hash: Hash): ViewPart =>
  toPart(event.seq, { call: event.ref.call, status: event.status, content: event.content, hint: event.hint }, hash)

function toPart(seq: number, body: unknown, hash: Hash): ViewPart {
  const text = canonicalJson(body)
  return { seq, hash: hash(text), chars: text.length }
}

/** The seqs of the events whose bodies the view shows, in view order. */
export function viewSeqs(view: ViewMessage | null): number[] {
  const seqs: number[] = []
  for (let message = view; message; message = message.prev) {
    for (let i = message.parts.length - 1; i >= 0; i--) seqs.push(message.parts[i]?.seq ?? 0)
  }
  return seqs.reverse()
}
