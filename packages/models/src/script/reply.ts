// A known reply as a stream of parts: what scripts, replays and the demo have in common.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPart } from '@tenon/core'
import type { FinishReason, Json, Usage } from '@tenon/protocol'

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'reasoning'
      readonly text: string
      readonly signature?: string
      readonly redacted?: boolean
      readonly meta?: Json
    }
  | {
      readonly type: 'call'
      readonly name: string
      readonly text: string
      readonly wireId: string
      readonly meta?: Json
    }

export interface Reply {
  readonly pieces: readonly Piece[]
  readonly finish: FinishReason
  readonly usage: Usage | null
  readonly warnings?: readonly string[]
}

export interface Pace {
  /** Characters a delta. Default 64. */
  readonly chunk?: number | undefined
  /** Milliseconds before each delta. Default 0. */
  readonly delayMs?: number | undefined
  /** Milliseconds of silence after the first delta. Default 0. */
  readonly stallMs?: number | undefined
}

/**
 * Streams `reply` at its pace. `broken` is thrown after that many deltas instead of the rest.
 * @throws the signal's reason when aborted
 */
export async function* streamReply(
  reply: Reply,
  { signal, pace = {}, broken }: { signal: AbortSignal; pace?: Pace; broken?: { after: number; error: Error } },
): AsyncGenerator<ModelPart> {
  let deltas = 0
  signal.throwIfAborted()
  if (reply.warnings?.length) yield { type: 'meta', warnings: reply.warnings }
  for (const [index, piece] of reply.pieces.entries()) {
    const id = `p${index}`
    yield start(piece, id)
    for (const text of chunksOf(piece.text, pace.chunk ?? 64)) {
      if (broken && deltas >= broken.after) throw broken.error
      await pause(waitBefore(deltas, pace), signal)
      deltas++
      yield { type: `${piece.type}.delta`, id, text }
    }
    yield end(piece, id)
  }
  if (broken) throw broken.error
  await pause(deltas === 1 ? (pace.stallMs ?? 0) : 0, signal)
  yield { type: 'finish', reason: reply.finish, usage: reply.usage }
}

const waitBefore = (deltas: number, pace: Pace) => (pace.delayMs ?? 0) + (deltas === 1 ? (pace.stallMs ?? 0) : 0)

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The timer's own rejection is an AbortError; callers are promised the reason.
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
}

function start(piece: Piece, id: string): ModelPart {
  if (piece.type === 'call') return { type: 'call.start', id, name: piece.name, wireId: piece.wireId }
  return { type: `${piece.type}.start`, id }
}

function end(piece: Piece, id: string): ModelPart {
  const { type, text: _, ...facts } = piece
  if (type === 'text') return { type: 'text.end', id }
  if (type === 'reasoning') return { type: 'reasoning.end', id, ...facts }
  return {
    type: 'call.end',
    id,
    name: piece.name,
    text: piece.text,
    ...(piece.meta !== undefined && { meta: piece.meta }),
  }
}

/** Pieces of `size` characters; no surrogate pair is split. */
function chunksOf(text: string, size: number): readonly string[] {
  const chunks: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + size, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to++
    chunks.push(text.slice(from, to))
    from = to
  }
  return chunks
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff
