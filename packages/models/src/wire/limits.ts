// How long a stream may be silent. Total time has no limit; keep-alive bytes count as life.

export interface StreamLimits {
  /** Milliseconds until the connection stands. */
  readonly connect: number
  /** Milliseconds from there to the first byte of the answer. */
  readonly firstByte: number
  /** Milliseconds between two bytes. */
  readonly idle: number
}

export const streamLimits: StreamLimits = { connect: 30_000, firstByte: 120_000, idle: 120_000 }
