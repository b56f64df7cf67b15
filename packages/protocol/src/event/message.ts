// message.*: what waits, and what stands in the conversation.
import { z } from 'zod'
import { eventId } from '../id.ts'
import { part } from '../shape.ts'
import { branch, ledger } from './kind.ts'

export const delivery = z.enum(['steer', 'queue'])
export type Delivery = z.infer<typeof delivery>

export const finishReason = z.enum(['stop', 'calls', 'length', 'refused', 'interrupted', 'error'])
export type FinishReason = z.infer<typeof finishReason>

export const harnessKind = z.enum(['nudge', 'windDown', 'loop'])
export type HarnessKind = z.infer<typeof harnessKind>

export const messageEvents = {
  'message.queued': ledger(z.object({ parts: z.array(part), delivery })),
  'message.withdrawn': ledger(z.object({ queued: eventId, reason: z.enum(['person', 'hook']) })),
  /** Three shapes by `role`: a delivered message (`queued`), a reply (`attempt` and what follows), the harness (`kind`). */
  'message.added': branch(
    z.object({
      role: z.enum(['user', 'assistant', 'harness']),
      parts: z.array(part),
      queued: eventId.optional(),
      kind: harnessKind.optional(),
      model: z.string().optional(),
      provider: z.string().optional(),
      responseId: z.string().optional(),
      attempt: eventId.optional(),
      finish: finishReason.optional(),
    }),
  ),
}
