// A log in the form that is compared: ids by place, time from the start, hashes by first appearance, prompts by name only.
import type { Group } from '@tenon/core'
import type { Event } from '@tenon/protocol'

export interface GoldenOptions {
  /** The session's folder: shown as /work. */
  readonly root: string
  /** True where time and folder were real: neither times nor lengths are compared. */
  readonly real?: boolean
}

/** One line an event; `group` counts appends. */
export function toGolden(groups: readonly Group[], options: GoldenOptions): string {
  const names = createNames(groups.flat())
  const startedAt = groups[0]?.[0]?.at ?? 0
  const lines = groups.flatMap((group, i) =>
    group.map((event) => JSON.stringify(names(toLine(event, i, startedAt, options)))),
  )
  return `${lines.join('\n')}\n`
}

function toLine(event: Event, group: number, startedAt: number, { root, real }: GoldenOptions): unknown {
  const { v: _, seq, at, id, type, ...rest } = event as Event & Record<string, unknown>
  const body = type === 'context.set' ? named(event as Extract<Event, { type: 'context.set' }>) : rest
  const line = { group, seq, ...(!real && { at: at - startedAt }), type, id, ...body }
  const text = JSON.stringify(line).replaceAll(root, '/work')
  return JSON.parse(text, (key, value) => (real && realKeys.has(key) ? 0 : value))
}

const realKeys = new Set(['ms', 'firstMs', 'shown', 'total', 'estimate'])

/** The texts of prompts and tools have their own goldens. */
function named(event: Extract<Event, { type: 'context.set' }>): Record<string, unknown> {
  const { parent, by, stable, volatile, tools, hash, model, build, reason, changed } = event
  const ids = (blocks: typeof stable) => blocks.map(({ id }) => id)
  return {
    parent,
    by,
    stable: ids(stable),
    volatile: ids(volatile),
    tools: tools.map(({ name }) => name),
    hash,
    model,
    build,
    reason,
    changed,
  }
}

/** Puts names in the place of ids, hashes and durations, wherever they stand. */
function createNames(events: readonly Event[]): (value: unknown) => unknown {
  const ids = new Map(events.map((event) => [event.id as string, `ev_${event.seq}`]))
  const hashes = new Map<string, string>()
  const calls = new Map<string, string>()
  const nameIn = (known: Map<string, string>, prefix: string, text: string) => {
    const name = known.get(text) ?? `${prefix}${known.size + 1}`
    known.set(text, name)
    return name
  }
  const text = (value: string) =>
    value
      .replace(/ev_[0-9a-z]{26}/g, (id) => ids.get(id) ?? nameIn(ids, 'ev_unknown_', id))
      .replace(/\b[0-9a-f]{64}\b/g, (hash) => nameIn(hashes, 'hash_', hash))
      .replace(/\bcall_[0-9a-hjkmnp-tv-z]{16}\b/g, (call) => nameIn(calls, 'call_', call))
      .replace(/, \d+(\.\d+)? s\b/g, ', T s')
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, walk(field)]))
  }
  return walk
}

/** The final files, path by path, as text. */
export const toFiles = (files: ReadonlyMap<string, Uint8Array>, root: string): Record<string, string> =>
  Object.fromEntries(
    [...files]
      .map(([path, bytes]) => [path.replace(`${root}/`, ''), new TextDecoder().decode(bytes)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
