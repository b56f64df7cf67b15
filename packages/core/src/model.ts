// Port: request in, stream of parts out. Provider shapes are the adapters' business.
import type {
  Cost,
  FailureClass,
  FinishReason,
  Json,
  Part,
  Purpose,
  ResultPart,
  ToolStatus,
  Usage,
} from '@tenon/protocol'

export interface ModelBlock {
  readonly id: string
  readonly text: string
}

export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly schema: Json
}

export interface ModelResult {
  readonly call: string
  /** The name that the model used. */
  readonly name: string
  readonly status: ToolStatus
  readonly content: readonly ResultPart[]
}

/** Alternating by construction: results follow the message that asked, in call order, exactly one a call. */
export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | { readonly role: 'assistant'; readonly parts: readonly Part[]; readonly provider: string; readonly model: string }
  | { readonly role: 'tool'; readonly results: readonly ModelResult[] }

/** How hard to think. What a model does not take is left out with a warning, never put into the prompt. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'max'

export interface ModelRequest {
  readonly purpose: Purpose
  /** Model id without the provider. */
  readonly model: string
  readonly system: { readonly stable: readonly ModelBlock[]; readonly volatile: readonly ModelBlock[] }
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice: 'auto' | 'none'
  /** `max` in tokens; without it the model's own cap holds. */
  readonly output: { readonly max?: number }
  readonly reasoning?: { readonly effort: Effort }
  readonly sampling?: { readonly temperature?: number; readonly topP?: number; readonly stop?: readonly string[] }
  /** Bytes of a blob that a part refers to; without it images that have no URL are told as notes. */
  load?(sha256: string): Promise<Uint8Array>
  readonly cache: { readonly key: string }
  /** Which try of the same request this is, from 0. */
  readonly try: number
}

export type ModelPart =
  | { readonly type: 'text.start' | 'text.end'; readonly id: string; readonly meta?: Json }
  | { readonly type: 'text.delta'; readonly id: string; readonly text: string }
  | { readonly type: 'reasoning.start'; readonly id: string }
  | { readonly type: 'reasoning.delta'; readonly id: string; readonly text: string }
  | {
      readonly type: 'reasoning.end'
      readonly id: string
      readonly signature?: string
      readonly redacted?: boolean
      readonly meta?: Json
    }
  /** `id` is the place in this stream; `wireId` is what the provider called it (may be empty or doubled). */
  | { readonly type: 'call.start'; readonly id: string; readonly name: string; readonly wireId: string }
  | { readonly type: 'call.delta'; readonly id: string; readonly text: string }
  /** `text` is the whole argument text as the model wrote it. */
  | {
      readonly type: 'call.end'
      readonly id: string
      readonly name: string
      readonly text: string
      readonly meta?: Json
    }
  | {
      readonly type: 'meta'
      readonly responseId?: string
      readonly model?: string
      readonly warnings?: readonly string[]
    }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage | null; readonly cost?: Cost }

export interface Model {
  /** Streams one reply. Ends after `finish`; throws ModelFailure for everything that the provider did wrong. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

/** Finds the model behind `provider/id`. @throws TenonError `unknown_model`, `no_provider` */
export interface Models {
  resolve(reference: string): Promise<Model>
}

/** What a provider did wrong, classed. Thrown by `Model.stream`, stored by perform as `model.failed`. */
export class ModelFailure extends Error {
  readonly class: FailureClass
  readonly status: number | undefined
  /** Milliseconds that the provider asked us to wait. */
  readonly retryAfter: number | undefined

  constructor(failureClass: FailureClass, message: string, facts: { status?: number; retryAfter?: number } = {}) {
    super(message)
    this.name = 'ModelFailure'
    this.class = failureClass
    this.status = facts.status
    this.retryAfter = facts.retryAfter
  }
}
