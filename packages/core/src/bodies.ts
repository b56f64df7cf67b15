// Bodies of events by seq: the newest in memory up to a cap, the rest read from the log when they are needed.
import type { Event } from '@tenon/protocol'
import type { Log } from './log.ts'

/** Characters kept in memory, by a rough count. */
const cacheChars = 8 * 1024 * 1024

export interface Bodies {
  add(event: Event): void
  /** In the order asked. @throws TenonError `log_damaged` */
  pick(seqs: readonly number[]): Promise<readonly Event[]>
  range(from: number, to: number): Promise<readonly Event[]>
}

export function createBodies(log: Log): Bodies {
  const cache = new Map<number, { readonly event: Event; readonly chars: number }>()
  let chars = 0
  const pick = async (seqs: readonly number[]): Promise<readonly Event[]> => {
    const missing = seqs.filter((seq) => !cache.has(seq))
    const read = missing.length > 0 ? await log.pick(missing) : []
    const found = new Map(read.map((event) => [event.seq, event]))
    return seqs.flatMap((seq) => cache.get(seq)?.event ?? found.get(seq) ?? [])
  }
  return {
    pick,
    range: (from, to) => pick(Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)),
    add(event) {
      const size = roughChars(event)
      cache.set(event.seq, { event, chars: size })
      chars += size
      for (const [seq, old] of cache) {
        if (chars <= cacheChars) break
        cache.delete(seq)
        chars -= old.chars
      }
    },
  }
}

/** Strings dominate; walking is cheaper than rendering. */
function roughChars(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 16
  let sum = 32
  for (const field of Object.values(value)) sum += roughChars(field)
  return sum
}
