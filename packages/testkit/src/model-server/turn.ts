// The turns that the server plays: the script format of `script:FILE` (declared in models/src/script/schema.ts, whose
// parsed turns fit in here as they are).
import type { FailureClass, FinishReason, Json, Usage } from '@tenon/protocol'

type Maybe<T> = T | undefined

export interface ServerCall {
  readonly name: string
  readonly input?: Maybe<Json>
  /** Argument text as it stands, in place of `input`. */
  readonly raw?: Maybe<string>
  /** Call id on the wire; empty and doubled ones are sent as they are. Default: `call_TURN_PLACE`. */
  readonly id?: Maybe<string>
}

export interface ServerFail {
  readonly class: FailureClass
  /** HTTP status. Default: what providers send for the class. */
  readonly status?: Maybe<number>
  /** Milliseconds; whole seconds go out as `Retry-After`, others as `Retry-After-Ms`. */
  readonly retryAfter?: Maybe<number>
  readonly message?: Maybe<string>
  /** How many requests for this turn fail before it is served. Default 1. */
  readonly times?: Maybe<number>
  /** Deltas that arrive before it fails. Default 0. */
  readonly after?: Maybe<number>
}

type FaultType =
  | 'empty'
  | 'blank'
  | 'no-delta'
  | 'nulls'
  | 'stream-error'
  | 'stall'
  | 'keep-alive'
  | 'cut'
  | 'end'
  | 'body'

export interface ServerFault {
  readonly type: FaultType
  /** Deltas that arrive before it. Default 0. */
  readonly after?: Maybe<number>
  /** Milliseconds of keep-alives. Default 1,000. */
  readonly ms?: Maybe<number>
  /** Default 1. */
  readonly times?: Maybe<number>
  readonly status?: Maybe<number>
  readonly contentType?: Maybe<string>
  readonly body?: Maybe<string>
  readonly headers?: Maybe<Readonly<Record<string, string>>>
  /** Adds `Retry-After` as a date this many milliseconds ahead. */
  readonly retryDateMs?: Maybe<number>
}

export interface ServerTurn {
  readonly expect?: Maybe<{ readonly last?: Maybe<string>; readonly tools?: Maybe<readonly string[]> }>
  readonly reasoning?: Maybe<string>
  /** The reasoning is not readable: only its proof is sent. */
  readonly redacted?: Maybe<boolean>
  readonly text?: Maybe<string>
  readonly calls?: Maybe<readonly ServerCall[]>
  readonly finish?: Maybe<FinishReason>
  /** Default: characters / 4 of what went in and out. */
  readonly usage?: Maybe<{ readonly [K in keyof Usage]?: Maybe<number> }>
  readonly delayMs?: Maybe<number>
  readonly chunk?: Maybe<number>
  readonly stallMs?: Maybe<number>
  readonly fail?: Maybe<ServerFail>
  readonly fault?: Maybe<ServerFault>
}
