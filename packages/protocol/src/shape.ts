// Shapes that several events share: blobs, message parts, call references, usage, cost, limits.
import { z } from 'zod'
import { eventId } from './id.ts'
import { type Immutable, json } from './json.ts'

/** Content stored beside the log under its hash; text over 64 KiB and all binary. */
export const blob = z.object({
  sha256: z.string().length(64),
  bytes: z.int().nonnegative(),
  mime: z.string(),
  lines: z.int().nonnegative().optional(),
})
export type Blob = Immutable<z.infer<typeof blob>>

/** The three identities of a call: the message that asked, the call id, the canonical tool name. */
export const callRef = z.object({ message: eventId, call: z.string(), tool: z.string() })
export type CallRef = Immutable<z.infer<typeof callRef>>

const text = z.object({ type: z.literal('text'), text: z.string() })
const image = z.object({
  type: z.literal('image'),
  blob: blob.optional(),
  url: z.string().optional(),
  mime: z.string(),
  width: z.int().optional(),
  height: z.int().optional(),
})
const file = z.object({
  type: z.literal('file'),
  path: z.string(),
  lines: z.string().optional(),
  blob,
  tokens: z.int().optional(),
})
const reasoning = z.object({
  type: z.literal('reasoning'),
  text: z.string(),
  signature: z.string().optional(),
  redacted: z.boolean().optional(),
  /** The provider's opaque JSON, given back verbatim to the same provider. */
  meta: json.optional(),
})
/** A call as the model wrote it, with the canonical tool beside the model's own name. */
const call = z.object({
  type: z.literal('call'),
  id: z.string(),
  name: z.string(),
  tool: z.string(),
  input: json,
  wireId: z.string().optional(),
  /** The model's text where it was not JSON. */
  raw: z.string().optional(),
  repairs: z.array(z.string()),
  /** Why the call cannot run: bad JSON, cut by the output limit, unknown tool. */
  invalid: z.object({ code: z.string(), message: z.string() }).optional(),
  meta: json.optional(),
})
const data = z.object({ type: z.literal('data'), mime: z.string(), blob })

export const callPart = call
export type CallPart = Immutable<z.infer<typeof call>>
export const part = z.discriminatedUnion('type', [text, image, file, reasoning, call, data])
export type Part = Immutable<z.infer<typeof part>>

/** What a tool shows the model; `error` says what failed, why and what to do next. */
export const resultPart = z.discriminatedUnion('type', [
  text,
  image,
  file,
  z.object({ type: z.literal('error'), code: z.string(), message: z.string(), next: z.string() }),
])
export type ResultPart = Immutable<z.infer<typeof resultPart>>

/** Tokens. `input`, `cacheRead`, `cacheWrite` and `output` are disjoint; `reasoning` lies inside `output`. */
export const usage = z.object({
  input: z.int().nonnegative(),
  cacheRead: z.int().nonnegative(),
  cacheWrite: z.int().nonnegative(),
  output: z.int().nonnegative(),
  reasoning: z.int().nonnegative(),
})
export type Usage = Immutable<z.infer<typeof usage>>

/** Integer nano-dollars; `null` where no price is known (never shown as 0). */
export const cost = z.object({
  nanoUsd: z.int().nullable(),
  source: z.enum(['provider', 'catalogue', 'config', 'plan', 'unknown']),
})
export type Cost = Immutable<z.infer<typeof cost>>

export const limits = z.object({
  turns: z.int().positive().optional(),
  usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  minutes: z.number().positive().optional(),
})
export type Limits = Immutable<z.infer<typeof limits>>

/** A lock key and how it is held. */
export const resource = z.object({ key: z.string(), mode: z.enum(['shared', 'exclusive']) })
export type Resource = Immutable<z.infer<typeof resource>>

/** What a call would touch: the verb, and the path, command, host or name it touches. */
export const access = z.object({
  verb: z.enum(['read', 'write', 'delete', 'exec', 'net', 'mcp', 'agent', 'secret', 'config']),
  target: z.string(),
})
export type Access = Immutable<z.infer<typeof access>>

export const permissionModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const
export const permissionMode = z.enum(permissionModes)
export type PermissionMode = z.infer<typeof permissionMode>

export const emptyUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
})
