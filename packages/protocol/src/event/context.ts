// context.*: everything else that the model saw.
import { z } from 'zod'
import { eventId } from '../id.ts'
import { type Immutable, json } from '../json.ts'
import { part } from '../shape.ts'
import { branch } from './kind.ts'

/** One block of the system prompt. */
export const block = z.object({ id: z.string(), source: z.string(), text: z.string(), tokens: z.int() })
export type Block = Immutable<z.infer<typeof block>>

export const toolSchema = z.object({ name: z.string(), description: z.string(), schema: json, source: z.string() })
export type ToolSchema = Immutable<z.infer<typeof toolSchema>>

export const contextEvents = {
  'context.set': branch(
    z.object({
      stable: z.array(block),
      volatile: z.array(block),
      tools: z.array(toolSchema),
      hash: z.string(),
      /** What it was composed for: a change of either asks for a new one. */
      model: z.string(),
      build: z.string(),
      reason: z.string(),
      changed: z.array(z.string()),
    }),
  ),
  'context.added': branch(
    z.object({
      kind: z.enum(['reminder', 'environment', 'instructions']),
      source: z.object({ path: z.string().optional(), hash: z.string().optional() }),
      parts: z.array(part),
      reason: z.string(),
      binds: eventId.optional(),
      untrusted: z.boolean(),
      tokens: z.int(),
    }),
  ),
}
