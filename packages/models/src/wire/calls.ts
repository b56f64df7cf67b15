// Tool calls of a stream, put together from raw deltas. Providers number them by index, by id, by both or by
// neither, repeat ids, send them empty, and send nulls; the place in the stream is the only id that holds.
import type { Json } from '@tenon/protocol'
import type { CallDelta, CallPiece } from './reader.ts'

interface OpenCall {
  readonly id: string
  index: number | undefined
  wireId: string
  name: string
  text: string
  state: 'nameless' | 'started' | 'ended'
  /** Opaque, given back with the call. */
  meta: Json | undefined
}

export interface CallTracker {
  /** Parts that the deltas of one chunk amount to. */
  take(deltas: readonly CallDelta[]): readonly CallPiece[]
  /** The ends that are still to come, in the order of the starts. */
  end(): readonly CallPiece[]
  readonly count: number
}

/** @param nameOf the name that was offered, from the name on the wire */
export function createCallTracker(nameOf: (wireName: string) => string): CallTracker {
  const calls: OpenCall[] = []

  const start = (call: OpenCall): readonly CallPiece[] => {
    call.state = 'started'
    const { id, wireId, text } = call
    const begun: CallPiece = { type: 'call.start', id, name: nameOf(call.name), wireId }
    return text ? [begun, { type: 'call.delta', id, text }] : [begun]
  }

  const end = (call: OpenCall): readonly CallPiece[] => {
    const begun = call.state === 'nameless' ? start(call) : []
    call.state = 'ended'
    const { id, text, meta } = call
    return [...begun, { type: 'call.end', id, name: nameOf(call.name), text, ...(meta !== undefined && { meta }) }]
  }

  const takeOne = (delta: CallDelta): readonly CallPiece[] => {
    const known = findCall(calls, delta)
    if (known) return grow(known, delta)
    // What is whole when the next call begins is done: an interrupted reply keeps it.
    const done = calls.filter((call) => call.state === 'started' && isWhole(call.text)).flatMap(end)
    const { index, wireId } = delta
    const call: OpenCall = {
      id: `c${calls.length}`,
      index,
      wireId,
      name: '',
      text: '',
      state: 'nameless',
      meta: undefined,
    }
    calls.push(call)
    return [...done, ...grow(call, delta)]
  }

  const grow = (call: OpenCall, delta: CallDelta): readonly CallPiece[] => {
    if (call.state === 'ended') return []
    call.wireId ||= delta.wireId
    call.name ||= delta.name
    call.text += delta.text
    call.meta ??= delta.meta
    if (call.state === 'nameless') return call.name ? start(call) : []
    return delta.text ? [{ type: 'call.delta', id: call.id, text: delta.text }] : []
  }

  return {
    take: (deltas) => deltas.flatMap(takeOne),
    end: () => calls.filter((call) => call.state !== 'ended').flatMap(end),
    get count() {
      return calls.length
    },
  }
}

/** By index, then by id, then the newest; a new name or id at a place that is already complete opens a new call. */
function findCall(calls: readonly OpenCall[], { index, wireId, name, text }: CallDelta): OpenCall | undefined {
  const found =
    index !== undefined
      ? calls.findLast((call) => call.index === index)
      : wireId
        ? calls.findLast((call) => call.wireId === wireId)
        : name
          ? undefined
          : calls.at(-1)
  if (!found) return undefined
  if (wireId && found.wireId && wireId !== found.wireId && name) return undefined
  // The same index and id again, name and all: a second call if the first is whole, else a provider that repeats itself.
  return name && found.name && isWhole(found.text) && (text || found.state === 'ended') ? undefined : found
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
