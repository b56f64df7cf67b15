// file.*, todos.*: what the work changed.
import { z } from 'zod'
import type { Immutable } from '../json.ts'
import { blob, callRef } from '../shape.ts'
import { branch } from './kind.ts'

export const todo = z.object({
  id: z.string(),
  content: z.string(),
  activeForm: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  parent: z.string().optional(),
  notes: z.string().optional(),
})
export type Todo = Immutable<z.infer<typeof todo>>

export const workEvents = {
  'file.changed': branch(
    z.object({
      ref: callRef.optional(),
      path: z.string(),
      operation: z.enum(['create', 'edit', 'delete', 'move', 'mode']),
      before: blob.optional(),
      after: blob.optional(),
      encoding: z.string(),
      eol: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
      added: z.int(),
      removed: z.int(),
      to: z.string().optional(),
    }),
  ),
  'todos.changed': branch(z.object({ todos: z.array(todo) })),
}
