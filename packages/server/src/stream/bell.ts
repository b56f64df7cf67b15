// Wakes one stream: rung by fragments and by whatever ends it. Whoever waits has just looked at everything that rings.

export interface Bell {
  ring(): void
  /** Resolves at the next ring; at once when `closed`. */
  rung(): Promise<void>
  /** One of the signals has aborted: the stream ends. */
  closed(): boolean
  close(): void
}

export function createBell(signals: readonly AbortSignal[]): Bell {
  let wake = () => {}
  const ring = () => wake()
  for (const signal of signals) signal.addEventListener('abort', ring)
  const closed = () => signals.some((signal) => signal.aborted)
  return {
    ring,
    closed,
    rung: () =>
      new Promise((resolve) => {
        wake = resolve
        if (closed()) resolve()
      }),
    close: () => {
      for (const signal of signals) signal.removeEventListener('abort', ring)
    },
  }
}
