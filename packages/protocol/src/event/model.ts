// model.*: attempts to call a model. The id of `model.started` is the attempt.
import { z } from 'zod'
import { failure } from '../error.ts'
import { eventId } from '../id.ts'
import { cost, usage } from '../shape.ts'
import { ledger } from './kind.ts'
import { finishReason } from './message.ts'

export const purpose = z.enum(['act'])
export type Purpose = z.infer<typeof purpose>

export const modelEvents = {
  'model.started': ledger(
    z.object({
      purpose,
      model: z.string(),
      provider: z.string(),
      why: z.string(),
      head: eventId,
      contextSet: eventId,
      /** How many messages the request holds, and the hash over its blocks, tools and messages. */
      messages: z.int(),
      requestHash: z.string(),
      projection: z.int(),
      estimate: z.int(),
      /** Reserved by append for the reply, so that live fragments can name it. */
      message: eventId,
      try: z.int(),
      cacheKey: z.string(),
      windDown: z.boolean().optional(),
    }),
  ),
  'model.finished': ledger(
    z.object({
      attempt: eventId,
      purpose,
      usage,
      cost,
      finish: finishReason,
      firstMs: z.int(),
      ms: z.int(),
      responseModel: z.string().optional(),
      /** True when the provider sent no usage and it was estimated. */
      estimated: z.boolean().optional(),
      warnings: z.array(z.string()),
    }),
  ),
  'model.failed': ledger(
    z.object({
      attempt: eventId,
      purpose,
      failure,
      status: z.int().optional(),
      /** Milliseconds that the provider asked us to wait. */
      retryAfter: z.int().optional(),
      /** Random, 0 to 1: what follows is decided from it by `next`, so a restart decides the same. */
      roll: z.number(),
      usage: usage.optional(),
      cost: cost.optional(),
      partial: z.object({ chars: z.int(), calls: z.int() }).optional(),
    }),
  ),
}
