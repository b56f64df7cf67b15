// A scenario as data: seed files, what commands print, what the model replies, what people do and when time stops.
import { failureClass, finishReason, json, usage } from '@tenon/protocol'
import { z } from 'zod'

const call = z.strictObject({
  name: z.string(),
  input: json.optional(),
  raw: z.string().optional(),
  wireId: z.string().optional(),
})

/** One reply of the model; see `QueueReply`. */
const reply = z.strictObject({
  reasoning: z.string().optional(),
  text: z.string().optional(),
  calls: z.array(call).optional(),
  finish: finishReason.optional(),
  usage: usage.optional(),
  fail: z.strictObject({ class: failureClass, status: z.int().optional(), retryAfter: z.int().optional() }).optional(),
  hang: z.literal(true).optional(),
})

/** What a shell command does in the memory workspace; the first entry that fits is taken. */
const shellCommand = z.strictObject({
  command: z.string(),
  /** Only while this file holds this text. */
  when: z.strictObject({ file: z.string(), has: z.string() }).optional(),
  out: z.string().default(''),
  code: z.int().default(0),
  /** How long it takes. */
  ms: z.int().nonnegative().default(0),
})

/** Where time stops after a step: at rest, at an event of this type, or when nothing is due any more. */
const until = z.string().default('rest')

const step = z.union([
  /** A message, to rest. */
  z.string(),
  z.strictObject({ send: z.string(), delivery: z.enum(['auto', 'steer', 'queue']).optional(), until }),
  /** Any command; `@ask` is the oldest open ask, `@queued` the oldest message that waits. */
  z.strictObject({ command: z.looseObject({ command: z.string() }), until }),
  z.strictObject({ act: z.enum(['crash', 'close']), until: z.string().default('quiet') }),
])

export const scenario = z.strictObject({
  $schema: z.string().optional(),
  /** What the story shows. */
  title: z.string(),
  files: z.record(z.string(), z.string()).default({}),
  commands: z.array(shellCommand).default([]),
  /** Fields of `open` beside the folder. */
  open: z.looseObject({}).default({}),
  onAsk: z.enum(['deny', 'stop', 'wait']).default('wait'),
  replies: z.array(reply),
  steps: z.array(step),
})

export type Scenario = z.infer<typeof scenario>
export type ShellCommand = Scenario['commands'][number]
export type ScenarioStep = Scenario['steps'][number]
