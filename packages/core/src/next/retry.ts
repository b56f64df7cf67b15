// Row 22: the last attempt failed. What follows is read off the class table, the stored Retry-After and the stored roll.
import type { Failures } from '@tenon/projections'
import type { ErrorCode, FailureClass } from '@tenon/protocol'
import { end, type Running } from './end.ts'
import { type NextContext, rest, type Step } from './step.ts'

/** Retries by class and what a person can do when they are spent. A class with none ends at once. */
const classes: Readonly<
  Record<FailureClass, { readonly retries: number; readonly action: string; readonly code?: ErrorCode }>
> = {
  rate_limit: { retries: 5, action: 'Wait, then run `tenon -c` to go on.' },
  overloaded: { retries: 5, action: 'Wait, then run `tenon -c` to go on.' },
  connection: { retries: 4, action: 'Check the network and the base URL, then go on with `tenon -c`.' },
  timeout: { retries: 4, action: 'Check the server, then go on with `tenon -c`.' },
  stalled: { retries: 4, action: 'Check the server, then go on with `tenon -c`.' },
  server: { retries: 4, action: 'Wait, then go on with `tenon -c`.' },
  empty: { retries: 2, action: 'Use another model, or look at the server: it answered with nothing.' },
  auth: { retries: 0, action: 'Set a valid API key.' },
  forbidden: { retries: 0, action: 'Use a key that may use this model.' },
  quota: { retries: 0, action: 'Look at the billing of the provider.' },
  context_overflow: { retries: 0, action: 'Start a new session with a smaller task.', code: 'context_too_big' },
  output_limit: { retries: 0, action: 'Set a smaller output limit.' },
  cache_too_small: { retries: 0, action: 'Go on with `tenon -c`.' },
  unsupported: { retries: 0, action: 'Leave out the setting that the model does not take.' },
  image_rejected: { retries: 0, action: 'Start a new session without that image.' },
  signature: { retries: 0, action: 'Use another model, or start a new session.' },
  malformed_history: { retries: 0, action: 'Start a new session; report this with `tenon session events`.' },
  tool_schema: { retries: 0, action: 'Leave out the tool that the provider refuses.' },
  model_not_found: { retries: 0, action: 'Use another model: `--model provider/id`.' },
  bad_request: { retries: 0, action: 'See the message of the provider.' },
  content_policy: { retries: 0, action: 'Rephrase the request.', code: 'refused' },
  cancelled: { retries: 0, action: 'Go on with `tenon -c`.', code: 'interrupted' },
  interrupted: { retries: 1, action: 'Go on with `tenon -c`.' },
  internal: { retries: 0, action: 'This is a bug in Tenon; report it with `tenon session events`.', code: 'internal' },
}

const firstMs = 1_000
const longestMs = 60_000
const patienceMs = 10 * 60_000

/** When the next try is due (ms UTC). The same after a restart: nothing here is read from a clock or a die. */
export function retryAt({ count, at, roll, retryAfter }: Failures): number {
  const backoff = Math.min(longestMs, firstMs * 2 ** (count - 1))
  return at + Math.max(Math.round(backoff * (0.75 + 0.5 * roll)), retryAfter)
}

/** How many tries a class gets after the first. */
export const retriesOf = (failed: FailureClass): number => classes[failed].retries

export function retry(state: Running, { now }: NextContext): Step | null {
  const { failures } = state
  if (!failures) return null
  const due = retryAt(failures)
  const spent = failures.count > classes[failures.class].retries
  const tooLong = due - failures.at > patienceMs
  if (!spent && !tooLong) return now >= due ? null : rest('retry', [], due)
  const { action, code } = classes[failures.class]
  const wait = tooLong ? ` The provider asks to wait until ${new Date(due).toISOString()}.` : ''
  return end(state, 'retry', now, {
    outcome: failures.class === 'content_policy' ? 'refused' : 'failed',
    failure: {
      code: code ?? 'model_failed',
      class: failures.class,
      message: failures.message + wait,
      action,
      retryable: classes[failures.class].retries > 0,
    },
  })
}
