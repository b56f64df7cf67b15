// What `next` returns: the facts to append and the effects that may be running now. Rest is neither.
import type { Attempt, Call } from '@tenon/projections'
import type { Draft, Hash } from '@tenon/protocol'

/** Whether anybody can answer an ask: somebody can · nobody, so an ask means deny · nobody, and the run stops at it. */
export type Answerer = 'some' | 'none' | 'stop'

/** What `next` reads beside the state: data, so that the same decision can be made again. */
export interface NextContext {
  readonly now: number
  readonly answerer: Answerer
  readonly hash: Hash
  readonly version: string
}

/**
 * `begun` effects have their start event in the log: their result is always recorded, also after an abort. All others
 * are disposable: when `next` no longer returns the key they are aborted and their result is dropped.
 */
export type Effect =
  | { readonly type: 'gather'; readonly key: string; readonly begun: false; readonly reason: string }
  | { readonly type: 'judge'; readonly key: string; readonly begun: false; readonly call: Call }
  | { readonly type: 'resolve'; readonly key: string; readonly begun: false; readonly call: Call }
  | { readonly type: 'tool'; readonly key: string; readonly begun: true; readonly call: Call }
  | { readonly type: 'model'; readonly key: string; readonly begun: true; readonly attempt: Attempt }

export interface Step {
  /** The name of the row that decided. */
  readonly row: string
  /** One append group. */
  readonly facts: readonly Draft[]
  readonly effects: readonly Effect[]
  /** When to look again though nothing was appended (ms UTC). */
  readonly until?: number
}

export const rest = (row: string, effects: readonly Effect[] = [], until?: number): Step => ({
  row,
  facts: [],
  effects,
  ...(until !== undefined && { until }),
})

export const append = (row: string, facts: readonly Draft[], effects: readonly Effect[] = []): Step => ({
  row,
  facts,
  effects,
})
