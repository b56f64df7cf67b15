// The script file: what a scripted model answers, turn by turn. The one declaration of the format; the model server of
// testkit takes the same turns and acts on `fault` as well.
import { failureClass, finishReason, json } from '@tenon/protocol'
import { z } from 'zod'

const ms = z.int().nonnegative().max(600_000)
const count = z.int().nonnegative()

const tokens = count.default(0)
const usage = z.strictObject({
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
  reasoning: tokens,
})

const call = z.strictObject({
  name: z.string(),
  input: json.default({}),
  /** Argument text sent as it stands, in place of `input`: cut, empty or broken JSON. */
  raw: z.string().optional(),
  /** What the provider calls it on the wire; empty and doubled ones are allowed. Default: `call_TURN_PLACE`. */
  id: z.string().optional(),
})

const fail = z.strictObject({
  class: failureClass,
  status: z.int().min(100).max(599).optional(),
  /** Milliseconds that the provider asks us to wait. */
  retryAfter: count.optional(),
  message: z.string().optional(),
  /** How many tries of the same request fail before the turn is served. */
  times: z.int().positive().default(1),
  /** Deltas that arrive before it fails. */
  after: count.default(0),
})

/** Faults of the wire, which only the model server can make. `times` tries fail (default 1), then the turn is served. */
const fault = z.strictObject({
  type: z.enum([
    'empty', // 200 with nothing at all
    'blank', // 200, frames, yet no part and no finish
    'no-delta', // one chunk without a delta in the middle
    'nulls', // null arguments and null content between real ones
    'stream-error', // an error frame in place of the next delta
    'stall', // silence after `after` deltas, connection left open
    'keep-alive', // comments for `ms` before the next delta
    'cut', // the socket is destroyed
    'end', // the body ends properly, without finish and without [DONE]
    'body', // `body` as it stands, with `status` and `contentType`
  ]),
  after: count.default(0),
  ms: ms.default(1000),
  times: z.int().positive().default(1),
  status: z.int().min(100).max(599).default(200),
  contentType: z.string().default('text/html'),
  body: z.string().default('<html>gateway</html>'),
  /** Response headers beside the usual ones, such as `retry-after`. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Adds `Retry-After` as an HTTP date that lies this many milliseconds ahead. */
  retryDateMs: count.optional(),
})

export const scriptTurn = z.strictObject({
  expect: z
    .strictObject({
      /** Text that the newest message (its text and its results) must contain. */
      last: z.string().optional(),
      /** Tools that must be offered. */
      tools: z.array(z.string()).optional(),
    })
    .optional(),
  reasoning: z.string().optional(),
  /** The reasoning is not readable: the model server sends only its proof. */
  redacted: z.boolean().optional(),
  text: z.string().optional(),
  calls: z.array(call).default([]),
  /** Default: `calls` when there are calls, else `stop`. */
  finish: finishReason.optional(),
  usage: usage.optional(),
  /** Milliseconds before each delta. */
  delayMs: ms.optional(),
  /** Characters a delta. */
  chunk: z.int().positive().optional(),
  /** Milliseconds of silence after the first delta. */
  stallMs: ms.optional(),
  fail: fail.optional(),
  fault: fault.optional(),
})

export const script = z.strictObject({ $schema: z.string().optional(), turns: z.array(scriptTurn) })

export type ScriptTurn = z.infer<typeof scriptTurn>
/** A turn as a person writes it: everything may be left out. */
export type ScriptTurnInput = z.input<typeof scriptTurn>
