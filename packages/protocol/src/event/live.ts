// Live fragments: unnumbered, droppable, each naming the durable event that will replace it.
import { z } from 'zod'
import { failureClass } from '../error.ts'
import { eventId } from '../id.ts'
import type { Immutable } from '../json.ts'
import { callRef } from '../shape.ts'

export const live = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message.delta'),
    message: eventId,
    part: z.int(),
    kind: z.enum(['text', 'reasoning', 'call']),
    text: z.string(),
    /** Counts from 0 per attempt; a gap means "read the stored event". */
    n: z.int(),
  }),
  z.object({ type: z.literal('message.dropped'), message: eventId, reason: z.string() }),
  z.object({
    type: z.literal('tool.output'),
    ref: callRef,
    stream: z.enum(['out', 'err']),
    text: z.string(),
    n: z.int(),
  }),
  z.object({
    type: z.literal('tool.progress'),
    ref: callRef,
    done: z.number().optional(),
    total: z.number().optional(),
    text: z.string(),
  }),
  z.object({ type: z.literal('status'), class: failureClass, try: z.int(), retryAt: z.int() }),
])
export type Live = Immutable<z.infer<typeof live>>
