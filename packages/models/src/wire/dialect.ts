// What a wire format has to supply to be a Model: one folder each implements it. Everything else is shared.
import type { ModelRequest } from '@tenon/core'
import type { JsonObject, Part } from '@tenon/protocol'
import type { WireNames } from '../prompt/wire-names.ts'
import type { ModelFacts } from './facts.ts'
import type { ReplyReader } from './reader.ts'

/** The AI SDK's package that writes the requests of a format. */
export type SdkPackage = 'anthropic' | 'openai' | 'google' | 'openai-compatible'

/** Where a format's requests are written: what an edit may look at. */
export interface WriteFacts {
  readonly request: ModelRequest
  readonly model: ModelFacts
  readonly names: WireNames
  /** Tells the person what was left out. */
  warn(what: string): void
}

export interface Dialect {
  readonly sdk: SdkPackage
  /** How the key is sent unless the entry says otherwise. */
  readonly auth: 'bearer' | 'x-api-key' | 'x-goog-api-key'
  /** Headers beside the SDK's own. */
  headers?(model: ModelFacts): Readonly<Record<string, string>>
  /** Images may stand in a tool's result; else they follow as a message of the user. */
  readonly resultImages: boolean
  /** Failed results are marked as such, beside their words. */
  readonly resultErrors: boolean
  /** Own reasoning in the SDK's words, on its way back; `undefined` leaves it out. */
  reasoning(part: Extract<Part, { type: 'reasoning' }>): JsonObject | undefined
  /** What the provider hung on its own call, in the SDK's words. */
  call?(meta: JsonObject): JsonObject
  /** The SDK's own options for every request. */
  readonly options?: JsonObject
  /** The last touch to the body that the SDK wrote. */
  edit(body: JsonObject, facts: WriteFacts): JsonObject
  createReader(model: ModelFacts): ReplyReader
  /** A whole JSON reply as the chunks of a stream; `undefined` when it is no reply. */
  whole(body: JsonObject): readonly JsonObject[] | undefined
}
