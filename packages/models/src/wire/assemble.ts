// From the chunks of one stream to the port's parts: blocks opened and closed, calls by place, one finish or one failure.
import { ModelFailure, type ModelPart } from '@tenon/core'
import type { Cost, FinishReason, Usage } from '@tenon/protocol'
import { toModelFailure } from '../failure/provider-error.ts'
import { createCallTracker } from './calls.ts'
import type { Chunk } from './chunks.ts'
import type { Piece, ReplyReader, Seal } from './reader.ts'

export interface StreamFacts {
  readonly provider: string
  now(): number
  nameOf(wireName: string): string
  readonly reader: ReplyReader
}

/** What is known at the end of a stream. */
interface Ending {
  reason: FinishReason | undefined
  done: boolean
  usage: Usage | null
  cost: Cost | undefined
}

/**
 * @throws ModelFailure the classed error of a chunk; `empty` for neither part nor finish; `connection` when the stream
 * ends in the middle
 */
export async function* assemble(chunks: AsyncIterable<Chunk>, facts: StreamFacts): AsyncGenerator<ModelPart> {
  const { provider, reader } = facts
  const calls = createCallTracker(facts.nameOf)
  const blocks = createBlocks()
  const ending: Ending = { reason: undefined, done: false, usage: null, cost: undefined }

  const take = (piece: Piece): readonly ModelPart[] => {
    switch (piece.type) {
      case 'meta':
        return [piece]
      case 'text':
      case 'reasoning':
        return piece.text ? blocks.grow(piece.type, piece.text) : []
      case 'seal': {
        const { type: _, ...seal } = piece
        return blocks.seal(seal)
      }
      case 'end':
        return blocks.close()
      case 'calls':
        return piece.deltas.length ? [...blocks.close(), ...calls.take(piece.deltas)] : []
      case 'error':
        throw toModelFailure(piece.body, { provider, now: facts.now() })
      case 'usage':
        ending.usage = piece.usage
        ending.cost = piece.cost
        return []
      case 'finish':
        ending.reason = piece.reason
        return []
      case 'done':
        ending.done = true
        return []
    }
  }

  for await (const chunk of chunks) {
    if (chunk.type === 'done') ending.done = true
    else if (chunk.value.error) throw toModelFailure(chunk.value, { provider, now: facts.now() })
    else for (const piece of reader.read(chunk.value)) yield* take(piece)
  }
  const reason = reasonOf(ending, { parts: blocks.count() + calls.count, calls: calls.count }, provider)
  yield* [...blocks.close(), ...calls.end()]
  const { usage, cost } = ending
  yield { type: 'finish', reason, usage, ...(cost && { cost }) }
}

/** Text and reasoning: one block open at a time. */
function createBlocks() {
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  let count = 0
  const begin = (type: 'text' | 'reasoning'): ModelPart => {
    open = { type, id: `${type}${count++}` }
    return { type: `${type}.start`, id: open.id }
  }
  const close = (): readonly ModelPart[] => {
    const ended: readonly ModelPart[] = open ? [{ type: `${open.type}.end`, id: open.id }] : []
    open = undefined
    return ended
  }
  return {
    count: () => count,
    close,
    grow(type: 'text' | 'reasoning', text: string): readonly ModelPart[] {
      const before = open?.type === type ? [] : [...close(), begin(type)]
      return open ? [...before, { type: `${type}.delta`, id: open.id, text }] : before
    },
    seal(seal: Seal): readonly ModelPart[] {
      const before = open?.type === 'reasoning' ? [] : [...close(), begin('reasoning')]
      const id = open?.id ?? ''
      open = undefined
      return [...before, { type: 'reasoning.end', id, ...seal }]
    },
  }
}

function reasonOf(
  { reason, done }: Ending,
  { parts, calls }: { readonly parts: number; readonly calls: number },
  provider: string,
): FinishReason {
  if (reason === undefined && parts === 0) throw new ModelFailure('empty', `${provider} answered with nothing.`)
  if (reason === undefined && !done)
    throw new ModelFailure('connection', `The stream of ${provider} ended in the middle.`)
  // Servers disagree on the reason of a reply with calls; what counts is whether there are any.
  if (reason === undefined || reason === 'stop' || reason === 'calls') return calls ? 'calls' : 'stop'
  return reason
}
