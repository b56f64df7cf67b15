// One timer at a time: setting it anew forgets the one before.
export interface Alarm {
  /** Rings at `at` (ms UTC); `undefined` only forgets. */
  set(at: number | undefined): void
}

export function createAlarm(sleep: (at: number, signal: AbortSignal) => Promise<void>, ring: () => void): Alarm {
  let off = new AbortController()
  return {
    set(at) {
      off.abort()
      if (at === undefined) return
      off = new AbortController()
      const { signal } = off
      void sleep(at, signal).then(() => signal.aborted || ring())
    },
  }
}
