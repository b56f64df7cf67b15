// Where each event of one segment lies: seq → offset and length of its line, 8 bytes an event, so that bodies stay on disk.

/** A line of a segment file in bytes; `length` leaves the LF out. */
export interface Span {
  readonly offset: number
  readonly length: number
}

export interface SeqIndex {
  /** First seq that can be held. */
  readonly base: number
  /** One more than the highest seq held; `base` when there is none. */
  end(): number
  /** How many seqs between base and end are not held. */
  holes(): number
  get(seq: number): Span | undefined
  /** Notes that `count` events from `seq` lie in one line. False, and nothing changes, when all of them were known. */
  add(seq: number, count: number, span: Span): boolean
}

export function createSeqIndex(base: number): SeqIndex {
  let pairs = new Uint32Array(64)
  let size = 0
  let held = 0
  const isHeld = (slot: number) => slot < size && pairs[slot * 2 + 1] !== 0
  return {
    base,
    end: () => base + size,
    holes: () => size - held,
    get(seq) {
      const slot = seq - base
      if (slot < 0 || !isHeld(slot)) return undefined
      return { offset: pairs[slot * 2] ?? 0, length: pairs[slot * 2 + 1] ?? 0 }
    },
    add(seq, count, { offset, length }) {
      const first = Math.max(seq - base, 0)
      const last = seq - base + count
      if (last * 2 > pairs.length) pairs = grown(pairs, last * 2)
      const before = held
      for (let slot = first; slot < last; slot++) {
        if (isHeld(slot)) continue
        pairs[slot * 2] = offset
        pairs[slot * 2 + 1] = length
        held++
      }
      size = Math.max(size, last)
      return held > before
    },
  }
}

function grown(old: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(Math.max(needed, Math.ceil(old.length * 1.5)))
  next.set(old)
  return next
}
