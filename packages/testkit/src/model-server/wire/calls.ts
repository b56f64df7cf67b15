// The calls of a scripted turn, with the ids and argument texts that go over the wire.
import type { WireReply } from '../format.ts'

export interface WireCall {
  readonly id: string
  readonly name: string
  /** Argument text. */
  readonly text: string
}

export const callsOf = ({ turn, place }: WireReply): readonly WireCall[] =>
  (turn.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${place + 1}_${index + 1}`,
    name: call.name,
    text: call.raw ?? JSON.stringify(call.input ?? {}),
  }))
