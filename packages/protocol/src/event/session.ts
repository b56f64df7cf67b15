// session.*, head.*: what the session is, how it is set, where its HEAD stands.
import { z } from 'zod'
import { eventId, sessionId } from '../id.ts'
import { json } from '../json.ts'
import { permissionMode } from '../shape.ts'
import { branch, ledger } from './kind.ts'

export const sessionEvents = {
  'session.opened': branch(
    z.object({
      session: sessionId,
      cwd: z.string(),
      project: z.string(),
      title: z.string().optional(),
      agent: z.string(),
      model: z.string(),
      mode: permissionMode,
      tags: z.record(z.string(), z.string()),
      host: z.object({ os: z.string(), version: z.string() }),
    }),
  ),
  /** Ledger, so that going back never restores a looser mode. */
  'session.configured': ledger(
    z.object({
      set: z.record(z.string(), json),
      was: z.record(z.string(), json),
      source: z.enum(['flag', 'person', 'agent', 'hook', 'harness', 'config', 'answer']),
    }),
  ),
  'head.moved': ledger(
    z.object({
      to: eventId.nullable(),
      was: eventId.nullable(),
      reason: z.enum(['move', 'undo', 'redo', 'repair', 'import']),
    }),
  ),
}
