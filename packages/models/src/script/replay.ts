// The model `replay:SESSION`: recorded replies, given back in their order.
import { type Model, ModelFailure, type ModelRequest } from '@tenon/core'
import type { FinishReason, Part, Usage } from '@tenon/protocol'
import { type Piece, streamReply } from './reply.ts'
import { turnOf } from './request.ts'

export interface RecordedReply {
  /** Parts of the assistant's `message.added`. */
  readonly parts: readonly Part[]
  readonly finish: FinishReason
  readonly usage: Usage | null
  /** `model.started.requestHash` of the request that it answered. */
  readonly requestHash: string
}

/**
 * A model that gives `replies` back, the reply that each request asks for by the number of replies it holds. After
 * condensing that number is smaller than the record's, so an equal hash elsewhere wins over the place.
 * @param hashOf hash of a request as it was recorded; without it nothing is compared
 */
export function createReplayModel(
  replies: readonly RecordedReply[],
  { hashOf }: { hashOf?: (request: ModelRequest) => string } = {},
): Model {
  return {
    async *stream(request, signal) {
      const place = turnOf(request)
      const hash = hashOf?.(request)
      const found =
        hash === undefined || replies[place]?.requestHash === hash
          ? replies[place]
          : (replies.find((reply) => reply.requestHash === hash) ?? replies[place])
      if (!found)
        throw new ModelFailure('bad_request', `The recording holds ${replies.length} replies, not ${place + 1}.`)
      const differs = hash !== undefined && hash !== found.requestHash
      const warning = `Request ${place + 1} differs from the recorded one: ${hash} instead of ${found.requestHash}.`
      const { finish, usage } = found
      const reply = { pieces: toPieces(found.parts), finish, usage, ...(differs && { warnings: [warning] }) }
      yield* streamReply(reply, { signal })
    },
  }
}

const toPieces = (parts: readonly Part[]): readonly Piece[] =>
  parts.flatMap((part): readonly Piece[] => {
    if (part.type === 'text') return [part]
    if (part.type === 'reasoning') {
      const { type, text, signature, redacted, meta } = part
      return [
        {
          type,
          text,
          ...(signature !== undefined && { signature }),
          ...(redacted !== undefined && { redacted }),
          ...(meta !== undefined && { meta }),
        },
      ]
    }
    if (part.type !== 'call') return []
    const { type, name, raw, input, meta, wireId, id } = part
    const text = raw ?? JSON.stringify(input)
    return [{ type, name, text, wireId: wireId ?? id, ...(meta !== undefined && { meta }) }]
  })
