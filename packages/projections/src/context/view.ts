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
  /** Seqs of the events that hold the bodies of its parts. */
  readonly seqs: readonly number[]
  /** Hash over every part up to and including the last one of this message. */
  readonly chain: string
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
  const joins = view?.role === 'user' && role === 'user'
  const seqs = parts.map(({ seq }) => seq)
  return {
    prev: joins ? view.prev : view,
    role,
    seqs: joins ? [...view.seqs, ...seqs] : seqs,
    chain: parts.reduce((chain, part) => hash(`${chain}\n${role}\n${part.hash}`), view?.chain ?? ''),
    count: (view?.count ?? 0) + (joins ? 0 : 1),
    chars: parts.reduce((sum, part) => sum + part.chars, view?.chars ?? 0),
  }
}

/** What `model.started.requestHash` holds: blocks and tools by the hash of their `context.set`, messages by the chain. */
export const requestHash = (setHash: string, view: ViewMessage | null, toolChoice: string, hash: Hash): string =>
  hash(`${setHash}\n${view?.chain ?? ''}\n${toolChoice}`)

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
  const messages: ViewMessage[] = []
  for (let message = view; message; message = message.prev) messages.push(message)
  return messages.reverse().flatMap(({ seqs }) => seqs)
}
