// Names and ids that every provider takes, for one request; the way back leads to the names that were offered.
import type { ModelRequest } from '@tenon/core'

export interface WireNames {
  /** ≤ 64 of `A-Za-z0-9_-`, no two alike. */
  toWire(name: string): string
  /** The offered name behind a wire name; an unknown one stands for itself. */
  fromWire(wireName: string): string
  /** A call id that fits; equal ids stay equal. */
  callId(id: string): string
}

const fits = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Offered tools take their names first, so that a lost tool of the history cannot take one away.
 * @param shortIds call ids of exactly nine letters or digits
 */
export function createWireNames(tools: ModelRequest['tools'], { shortIds = false } = {}): WireNames {
  const names = createTable((name) => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed')
  const ids = shortIds ? createShortIds() : createTable(() => 'call')
  const offered = new Map(tools.map(({ name }) => [names(name), name]))
  return { toWire: names, fromWire: (wireName) => offered.get(wireName) ?? wireName, callId: ids }
}

function createTable(propose: (text: string) => string): (text: string) => string {
  const given = new Map<string, string>()
  const taken = new Set<string>()
  return (text) => {
    const known = given.get(text)
    if (known !== undefined) return known
    let safe = fits.test(text) ? text : propose(text)
    for (let n = 2; taken.has(safe); n++) safe = `${propose(text).slice(0, 60)}_${n}`
    given.set(text, safe)
    taken.add(safe)
    return safe
  }
}

/** Numbered in the order in which they are met: the same history gives the same ids. */
function createShortIds(): (text: string) => string {
  const given = new Map<string, string>()
  return (text) => {
    const known = given.get(text) ?? `c${String(given.size).padStart(8, '0')}`
    given.set(text, known)
    return known
  }
}
