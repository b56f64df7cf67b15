// run.*, effect.*: wishes, runs and the ends of effects that have no event of their own.
import { z } from 'zod'
import { failure } from '../error.ts'
import { eventId } from '../id.ts'
import { callRef, cost, limits, usage } from '../shape.ts'
import { ledger } from './kind.ts'

export const runOutcomes = ['done', 'asked', 'paused', 'interrupted', 'stuck', 'limit', 'refused', 'failed'] as const
export const runOutcome = z.enum(runOutcomes)
export type RunOutcome = z.infer<typeof runOutcome>

export const finishOutcomes = ['success', 'partial', 'blocked', 'failed', 'unknown'] as const

export const runEvents = {
  /** A wish is a fact too, so that `next` stays pure. `queued` is the message that it is for. */
  'run.requested': ledger(z.object({ reason: z.enum(['send', 'answer', 'run']), queued: eventId.optional() })),
  'run.started': ledger(z.object({ request: eventId, version: z.string(), limits })),
  /** Names the run, or with none open the unspent request; then no `run.ended` follows. */
  'run.stopping': ledger(
    z.object({ run: eventId.optional(), request: eventId.optional(), how: z.enum(['pause', 'interrupt']) }),
  ),
  'run.ended': ledger(
    z.object({
      run: eventId,
      outcome: runOutcome,
      /** The row of `next` that ended it. */
      row: z.string(),
      failure: failure.optional(),
      limit: z.enum(['turns', 'usd', 'tokens', 'minutes']).optional(),
      turns: z.int(),
      ms: z.int(),
      usage,
      cost,
      /** The last assistant message of the run. */
      final: eventId.optional(),
      /** What a finishing tool reported. */
      finish: z.enum(finishOutcomes).optional(),
      denials: z.array(callRef),
    }),
  ),
  'effect.ended': ledger(z.object({ key: z.string(), failure: failure.optional() })),
}
