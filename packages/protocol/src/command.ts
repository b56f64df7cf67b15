// Commands: requests from outside. Each may be refused, with a code, a reason and what to do next.
import { z } from 'zod'
import type { Failure } from './error.ts'
import { answer } from './event/ask.ts'
import { eventId, sessionId } from './id.ts'
import { type Immutable, json } from './json.ts'
import { limits, part, permissionMode } from './shape.ts'

const base = {
  /** Names the command: a repeat gets the first outcome. */
  id: z.string().min(1).max(200).optional(),
  /** The events it would append are returned, nothing is appended. */
  dryRun: z.boolean().optional(),
}

export const openCommand = z.strictObject({
  ...base,
  command: z.literal('open'),
  session: sessionId.optional(),
  cwd: z.string().min(1),
  project: z.string().optional(),
  agent: z.string().optional(),
  model: z.string().optional(),
  mode: permissionMode.optional(),
  title: z.string().max(200).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  limits: limits.optional(),
  config: z.record(z.string(), json).optional(),
})

/** Every command that a session accepts now. Parts of a `send` may hold a person's call (`!cmd`). */
export const command = z.discriminatedUnion('command', [
  openCommand,
  z.strictObject({
    ...base,
    command: z.literal('send'),
    parts: z.array(part),
    delivery: z.enum(['auto', 'steer', 'queue']).optional(),
    /** False stores the message without asking for a run. */
    run: z.boolean().optional(),
  }),
  z.strictObject({ ...base, command: z.literal('withdraw'), queued: eventId }),
  z.strictObject({ ...base, command: z.literal('answer'), ask: eventId, ...answer.shape }),
  z.strictObject({ ...base, command: z.literal('run'), limits: limits.optional() }),
  z.strictObject({ ...base, command: z.literal('pause') }),
  z.strictObject({ ...base, command: z.literal('interrupt') }),
  z.strictObject({ ...base, command: z.literal('configure'), set: z.record(z.string(), json) }),
  z.strictObject({
    ...base,
    command: z.literal('move'),
    /** Exactly one of these three. */
    to: eventId.nullable().optional(),
    undo: z.int().positive().optional(),
    redo: z.literal(true).optional(),
  }),
  z.strictObject({ ...base, command: z.literal('close') }),
])
export type Command = Immutable<z.infer<typeof command>>
export type CommandOf<T extends Command['command']> = Extract<Command, { command: T }>

/** What a command led to: the events it appended (`seq` first and last, `null` for none), or why it was refused. */
export type Outcome =
  | { readonly accepted: true; readonly seq: readonly [number, number] | null; readonly events?: readonly unknown[] }
  | { readonly accepted: false; readonly refusal: Failure & { readonly facts?: Readonly<Record<string, unknown>> } }
