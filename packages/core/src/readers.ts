// Those who wait for the log to grow: woken, never called back with events.
export interface Readers {
  /** Resolves when `seq() > after`, when the signal aborts, or when nothing more will come. */
  changed(after: number, signal: AbortSignal): Promise<void>
  wake(): void
  /** Nothing more will come. */
  end(): void
}

export function createReaders(seq: () => number): Readers {
  const waiting = new Set<() => void>()
  let ended = false
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  return {
    changed: (after, signal) =>
      new Promise((resolve) => {
        const look = () => {
          if (seq() <= after && !signal.aborted && !ended) return
          waiting.delete(look)
          signal.removeEventListener('abort', look)
          resolve()
        }
        waiting.add(look)
        signal.addEventListener('abort', look)
        look()
      }),
    wake,
    end: () => {
      ended = true
      wake()
    },
  }
}
