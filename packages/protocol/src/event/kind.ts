// How one event type is declared: on a branch or in the ledger, its payload version, its payload schema.
import type { z } from 'zod'

export interface Kind<P extends z.ZodObject = z.ZodObject, B extends boolean = boolean> {
  /** Branch events carry `parent` and move HEAD; ledger events belong to no branch. */
  readonly branch: B
  readonly v: number
  readonly payload: P
}

export const branch = <P extends z.ZodObject>(payload: P, v = 1): Kind<P, true> => ({ branch: true, v, payload })
export const ledger = <P extends z.ZodObject>(payload: P, v = 1): Kind<P, false> => ({ branch: false, v, payload })
