// What a wire format's reader makes of each chunk, before blocks are opened and closed around it.
import type { ModelPart } from '@tenon/core'
import type { Cost, FinishReason, Json, JsonObject, Usage } from '@tenon/protocol'

/** What seals a reasoning block: the provider's proof that it wrote it. */
export interface Seal {
  readonly signature?: string
  readonly redacted?: boolean
  readonly meta?: Json
}

export type Piece =
  | {
      readonly type: 'meta'
      readonly responseId?: string
      readonly model?: string
      readonly warnings?: readonly string[]
    }
  /** Continues the open block of its kind, else opens one. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** Ends the open reasoning block with its seal; without an open one it makes an empty, sealed block. */
  | ({ readonly type: 'seal' } & Seal)
  /** Ends the open block, whatever it is. */
  | { readonly type: 'end' }
  | { readonly type: 'calls'; readonly deltas: readonly CallDelta[] }
  | { readonly type: 'usage'; readonly usage: Usage; readonly cost?: Cost }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  /** The provider's word that the stream is complete. */
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly body: Json }

/** A piece of a tool call: what is unknown is `undefined` or empty. */
export interface CallDelta {
  readonly index: number | undefined
  readonly wireId: string
  readonly name: string
  readonly text: string
  readonly meta?: Json | undefined
}

/** Reads one reply; has a memory, so each stream gets its own. */
export interface ReplyReader {
  read(chunk: JsonObject): readonly Piece[]
}

export type CallPiece = Extract<ModelPart, { type: 'call.start' | 'call.delta' | 'call.end' }>
