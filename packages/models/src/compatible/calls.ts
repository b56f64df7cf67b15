// Tool calls of a chat stream, put together from raw deltas. Providers number them by index, by id, by both or by
// neither, repeat ids, send them empty, and send nulls; the place in the stream is the only id that holds.
import type { ModelPart } from '@tenon/core'
import type { Json } from '@tenon/protocol'

interface OpenCall {
  readonly id: string
  index: number | undefined
  wireId: string
  name: string
  text: string
  state: 'nameless' | 'started' | 'ended'
  /** `extra_content`, opaque, given back with the call. */
  extra: Json | undefined
}

interface Delta {
  readonly index: number | undefined
  readonly wireId: string
  readonly name: string
  readonly text: string
  readonly extra: Json | undefined
}

export interface CallTracker {
  /** Parts that the deltas of one chunk amount to. */
  take(deltas: unknown): readonly ModelPart[]
  /** The ends that are still to come, in the order of the starts. */
  end(): readonly ModelPart[]
  readonly count: number
}

/** @param nameOf the name that was offered, from the name on the wire */
export function createCallTracker(nameOf: (wireName: string) => string): CallTracker {
  const calls: OpenCall[] = []

  const start = (call: OpenCall): readonly ModelPart[] => {
    call.state = 'started'
    const { id, wireId, text } = call
    const begun: ModelPart = { type: 'call.start', id, name: nameOf(call.name), wireId }
    return text ? [begun, { type: 'call.delta', id, text }] : [begun]
  }

  const end = (call: OpenCall): readonly ModelPart[] => {
    const begun = call.state === 'nameless' ? start(call) : []
    call.state = 'ended'
    const { id, text, extra } = call
    const meta = extra === undefined ? {} : { meta: { extra_content: extra } }
    return [...begun, { type: 'call.end', id, name: nameOf(call.name), text, ...meta }]
  }

  const takeOne = (delta: Delta): readonly ModelPart[] => {
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
      extra: undefined,
    }
    calls.push(call)
    return [...done, ...grow(call, delta)]
  }

  const grow = (call: OpenCall, delta: Delta): readonly ModelPart[] => {
    if (call.state === 'ended') return []
    call.wireId ||= delta.wireId
    call.name ||= delta.name
    call.text += delta.text
    call.extra ??= delta.extra
    if (call.state === 'nameless') return call.name ? start(call) : []
    return delta.text ? [{ type: 'call.delta', id: call.id, text: delta.text }] : []
  }

  return {
    take: (deltas) => (Array.isArray(deltas) ? deltas.flatMap((delta) => takeOne(readDelta(delta))) : []),
    end: () => calls.filter((call) => call.state !== 'ended').flatMap(end),
    get count() {
      return calls.length
    },
  }
}

/** By index, then by id, then the newest; a new name or id at a place that is already complete opens a new call. */
function findCall(calls: readonly OpenCall[], { index, wireId, name, text }: Delta): OpenCall | undefined {
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

function readDelta(value: unknown): Delta {
  const delta = toRecord(value)
  const inner = toRecord(delta.function)
  const { index, extra_content: extra } = delta
  const args = inner.arguments
  return {
    index: typeof index === 'number' ? index : undefined,
    wireId: toText(delta.id),
    name: toText(inner.name),
    // Some servers send the arguments as an object.
    text: typeof args === 'object' && args !== null ? JSON.stringify(args) : toText(args),
    // It came out of JSON.parse.
    extra: extra == null ? undefined : (extra as Json),
  }
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
