// ask.*: the one way to ask a person. The id of `ask.opened` is the ask.
import { z } from 'zod'
import { eventId } from '../id.ts'
import { type Immutable, json } from '../json.ts'
import { callRef } from '../shape.ts'
import { ledger } from './kind.ts'

export const askKind = z.enum(['permission', 'question', 'budget', 'loop'])
export type AskKind = z.infer<typeof askKind>

const askOption = z.object({ id: z.string(), label: z.string(), effect: z.string() })

export const question = z.object({
  question: z.string(),
  header: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string() })),
  multiSelect: z.boolean(),
})
export type Question = Immutable<z.infer<typeof question>>

export const answer = z.object({
  options: z.array(z.string()),
  text: z.string().optional(),
  input: json.optional(),
  answers: z.array(z.object({ options: z.array(z.string()), text: z.string().optional() })).optional(),
  always: z.object({ rules: z.array(z.string()), scope: z.enum(['session']) }).optional(),
  stop: z.boolean().optional(),
})
export type Answer = Immutable<z.infer<typeof answer>>

export const askEvents = {
  'ask.opened': ledger(
    z.object({
      kind: askKind,
      ref: callRef.optional(),
      title: z.string(),
      detail: z.string(),
      options: z.array(askOption),
      /** Rules proposed for "always". */
      rules: z.array(z.string()),
      questions: z.array(question).optional(),
      expiresAt: z.int().optional(),
    }),
  ),
  'ask.closed': ledger(
    z.object({
      ask: eventId,
      how: z.enum(['answered', 'expired', 'cancelled', 'rejudged']),
      answer: answer.optional(),
      remember: z.object({ rules: z.array(z.string()), scope: z.enum(['session']) }).optional(),
    }),
  ),
}
