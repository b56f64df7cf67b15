// Identities: prefixed strings whose 26 characters sort by time. `place(n)` names an event of the same draft group.
import { z } from 'zod'

export const eventId = z.templateLiteral(['ev_', z.string()])
export type EventId = z.infer<typeof eventId>

export const sessionId = z.templateLiteral(['ses_', z.string()])
export type SessionId = z.infer<typeof sessionId>

/** A reference to the n-th draft (from 0) of the same append group; append puts the stamped id in its place. */
export const place = (n: number): EventId => `ev_@${n}`

/** Stands in a draft for an id that append makes: the reply's id, reserved in `model.started`. */
export const fresh: EventId = 'ev_@fresh'

/** The group index behind a `place`, or `undefined` for a real id. */
export const placeOf = (id: string): number | undefined => (/^ev_@\d+$/.test(id) ? Number(id.slice(4)) : undefined)

/** Crockford's alphabet without i, l, o, u: ids sort as their bytes do. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes the 26 characters of an id: 10 of time (ms), 16 of randomness. Within one generator ids strictly ascend: a
 * clock that stands or goes back counts up from the last id.
 * @param now milliseconds UTC; @param random uniform in [0, 1)
 */
export function createIdGenerator(now: () => number, random: () => number): () => string {
  let time = -1
  let tail: number[] = []
  return () => {
    const at = now()
    if (at > time) {
      time = at
      tail = Array.from({ length: 16 }, () => Math.floor(random() * 32))
    } else increment(tail)
    return encodeTime(time) + tail.map((digit) => alphabet[digit]).join('')
  }
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = (digits[i] ?? 0) + 1
    digits[i] = digit % 32
    if (digit < 32) return
  }
}

function encodeTime(ms: number): string {
  let rest = ms
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
