// How long a provider asks us to wait, in whichever of its dialects it says so.

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Milliseconds to wait, or `undefined` where nothing is said. In order: `retry-after-ms`, `retry-after` (seconds or date),
 * the reset headers of an exhausted budget, "try again in 1.5s" in the text.
 * @param headers names in lower case; @param now milliseconds UTC
 */
export function retryAfterOf(headers: Headers, text: string, now: number): number | undefined {
  const ms = Number.parseFloat(headerOf(headers, 'retry-after-ms') ?? '')
  const wait =
    (Number.isFinite(ms) ? ms : undefined) ??
    toWait(headerOf(headers, 'retry-after'), now) ??
    resetOf(headers, now) ??
    toWait(/(?:try again|retry) (?:in|after) ((?:[\d.]+ ?(?:ms|[smh]) ?)+)/i.exec(text)?.[1], now)
  return wait === undefined ? undefined : Math.max(0, Math.ceil(wait))
}

const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** A budget counts when it is exhausted, or when the header speaks of the only one there is. */
function resetOf(headers: Headers, now: number): number | undefined {
  const waits = Object.keys(headers).flatMap((name) => {
    const [, before = '', after = ''] = /^((?:[a-z]+-)*ratelimit-(?:[a-z]+-)*)reset((?:-[a-z]+)*)$/.exec(name) ?? []
    if (!before) return []
    const left = headerOf(headers, `${before}remaining${after}`)
    if (left === undefined ? before !== 'ratelimit-' && before !== 'x-ratelimit-' : Number(left) > 0) return []
    return toWait(headerOf(headers, name), now) ?? []
  })
  return waits.length ? Math.max(...waits) : undefined
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Seconds, seconds or milliseconds since 1970, a duration such as `6m0s` or `20ms`, or a date. */
function toWait(text: string | undefined, now: number): number | undefined {
  const value = text?.trim()
  if (!value) return undefined
  if (/^[\d.]+$/.test(value)) {
    const number = Number(value)
    if (number > 1e12) return number - now
    return number > 1e9 ? number * 1000 - now : number * 1000
  }
  const duration = [...value.matchAll(/([\d.]+) ?(ms|s|m|h)(?![a-z])/g)]
  if (duration.length && !/[^\d.smh ]/.test(value))
    return duration.reduce((sum, [, number, unit = 's']) => sum + Number(number) * (units[unit] ?? 0), 0)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date - now
}
