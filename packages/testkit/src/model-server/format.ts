// What a wire format has to supply: one file each implements it. The server knows no provider's JSON.
import type { IncomingHttpHeaders } from 'node:http'
import type { Json, JsonObject } from '@tenon/protocol'
import type { ServerTurn } from './turn.ts'

/** What the server reads off a request. */
export interface WireFacts {
  readonly model: string
  readonly stream: boolean
  /** Replies that the request already holds: the place of the turn that it asks for. */
  readonly replies: number
  /** Readable text of the newest message. */
  readonly newest: string
  readonly tools: readonly string[]
}

export interface WireReply {
  readonly id: string
  readonly model: string
  readonly place: number
  readonly turn: ServerTurn
  /** The request that it answers. */
  readonly body: JsonObject
  /** Nulls between the real deltas, or one chunk without a delta. */
  readonly noise?: 'nulls' | 'no-delta'
}

/** One server-sent event as it goes over the wire; `delta` marks those that faults count. */
export interface Frame {
  readonly text: string
  readonly delta: boolean
}

export interface WireError {
  readonly status: number
  readonly message: string
  readonly code: string
}

/** What a strict provider knows beside the body. */
export interface Known {
  /** Tokens (characters / 4) that fit. */
  readonly window: number | undefined
  /** The turn that this server served as the `place`-th reply of the history, if it did. */
  served(place: number): ServerTurn | undefined
}

export interface WireFormat {
  readonly name: string
  /** True for the paths that this format is posted to. */
  matches(path: string): boolean
  /** The list of models, for a GET that speaks this format; `undefined` for one that does not. */
  list(path: string, headers: IncomingHttpHeaders): Json | undefined
  /** The key that a request shows. */
  keyOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined
  read(body: JsonObject, path: string): WireFacts
  /** Why a strict provider refuses `body`. */
  refusal(body: JsonObject, known: Known): WireError | undefined
  frames(reply: WireReply): readonly Frame[]
  /** Frames of a 200 that carries neither part nor finish. */
  blankFrames(reply: WireReply): readonly Frame[]
  whole(reply: WireReply): Json
  error(error: WireError): Json
  errorFrame(error: WireError): string
}
