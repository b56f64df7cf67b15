// From the events of one stream to the port's parts: blocks opened and closed, calls by place, one finish or one failure.
import { ModelFailure, type ModelPart } from '@tenon/core'
import type { FinishReason } from '@tenon/protocol'
import { toModelFailure } from '../failure/provider-error.ts'
import { createCallTracker } from './calls.ts'
import { rawCalls } from './frames.ts'
import type { SdkEvent } from './sdk.ts'

export interface StreamFacts {
  readonly provider: string
  now(): number
  nameOf(wireName: string): string
  /** Whether the provider has said that the stream is complete. */
  isDone(): boolean
}

/**
 * @throws ModelFailure the classed error of a chunk; `empty` for neither part nor finish; `connection` when the stream
 * ends in the middle
 */
export async function* assemble(events: AsyncIterable<SdkEvent>, facts: StreamFacts): AsyncGenerator<ModelPart> {
  const calls = createCallTracker(facts.nameOf)
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  let blocks = 0
  let chunk: unknown
  const close = (): readonly ModelPart[] => {
    const ended: readonly ModelPart[] = open ? [{ type: `${open.type}.end`, id: open.id }] : []
    open = undefined
    return ended
  }

  for await (const event of events) {
    switch (event.type) {
      case 'meta':
        yield event
        break
      case 'raw': {
        chunk = event.chunk
        if (hasError(chunk)) throw toModelFailure(chunk, { provider: facts.provider, now: facts.now() })
        const parts = calls.take(callsOf(chunk))
        if (parts.length) yield* [...close(), ...parts]
        break
      }
      case 'text':
      case 'reasoning':
        if (open?.type !== event.type) {
          yield* close()
          open = { type: event.type, id: `${event.type}${blocks++}` }
          yield { type: `${open.type}.start`, id: open.id }
        }
        yield { type: `${open.type}.delta`, id: open.id, text: event.text }
        break
      case 'unreadable':
        // One without choices says nothing: usage alone, a vendor's extra. What is not JSON breaks the reply.
        if (isObject(chunk) && !('choices' in chunk)) break
        throw new ModelFailure('server', `${facts.provider} sent an unreadable chunk: ${event.why.slice(0, 500)}`)
      case 'finish': {
        const reason = reasonOf(event.reason, { parts: blocks + calls.count, calls: calls.count }, facts)
        yield* [...close(), ...calls.end()]
        yield { type: 'finish', reason, usage: event.usage, ...(event.cost && { cost: event.cost }) }
      }
    }
  }
}

function reasonOf(
  said: FinishReason | undefined,
  { parts, calls }: { readonly parts: number; readonly calls: number },
  { provider, isDone }: StreamFacts,
): FinishReason {
  if (said === undefined && parts === 0) throw new ModelFailure('empty', `${provider} answered with nothing.`)
  if (said === undefined && !isDone())
    throw new ModelFailure('connection', `The stream of ${provider} ended in the middle.`)
  // Servers disagree on the reason of a reply with calls; what counts is whether there are any.
  if (said === undefined || said === 'stop' || said === 'calls') return calls ? 'calls' : 'stop'
  return said
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const hasError = (chunk: unknown): boolean => isObject(chunk) && 'error' in chunk && Boolean(chunk.error)

const callsOf = (chunk: unknown): unknown => (isObject(chunk) && rawCalls in chunk ? chunk[rawCalls] : undefined)
