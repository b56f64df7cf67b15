// The closed list of codes and the one error type. A Failure is data in events and answers; TenonError carries one when thrown.
import { z } from 'zod'

/** Classes of a provider's failure; what each one does is the class table of `core/src/next/retry.ts`. */
export const failureClasses = [
  'rate_limit',
  'overloaded',
  'connection',
  'timeout',
  'stalled',
  'server',
  'empty',
  'auth',
  'forbidden',
  'quota',
  'context_overflow',
  'output_limit',
  'cache_too_small',
  'unsupported',
  'image_rejected',
  'signature',
  'malformed_history',
  'tool_schema',
  'model_not_found',
  'bad_request',
  'content_policy',
  'cancelled',
  'interrupted',
  'internal',
] as const

/** Every code that a refusal, a failed tool or a failed process can carry. */
export const errorCodes = [
  // commands (refusals)
  'id_taken',
  'bad_setting',
  'locked_setting',
  'unknown_event',
  'not_a_boundary',
  'empty_message',
  'too_large',
  'closed',
  'log_damaged',
  'unknown_message',
  'already_delivered',
  'unknown_ask',
  'ask_closed',
  'bad_answer',
  'nothing_to_run',
  'not_running',
  'unknown_model',
  'busy',
  'nothing_to_undo',
  'nothing_to_redo',
  'not_owner',
  'not_open',
  'idempotency_mismatch',
  'session_in_use',
  'unknown_session',
  'ambiguous_session',
  // the log
  'log_duplicate_id',
  'log_missing_parent',
  'log_cycle',
  'log_newer',
  'bad_link',
  'lease_lost',
  'storage_full',
  'storage_readonly',
  'storage_failed',
  'blob_damaged',
  'blob_missing',
  'quota_exceeded',
  // runs
  'model_failed',
  'no_provider',
  'context_too_big',
  'crashed',
  'refused',
  'stuck',
  'limit',
  'interrupted',
  'gather_failed',
  'effect_without_end',
  // calls
  'tool_unknown',
  'tool_failed',
  'tool_timeout',
  'args_invalid',
  'args_cut',
  'args_not_json',
  'denied',
  'cancelled',
  'outcome_unknown',
  'ask_none',
  'output_flood',
  'shell_not_shell',
  'shell_missing',
  'spawn_failed',
  // files
  'file_missing',
  'file_exists',
  'file_stale',
  'not_a_file',
  'not_a_folder',
  'not_granted',
  'encoding_unsupported',
  'encoding_cannot',
  'read_only',
  'outside_workspace',
  'edit_no_match',
  'edit_ambiguous',
  'edit_same',
  'edit_empty_old',
  'edit_unread',
  'edit_stale',
  'write_exists',
  'path_missing',
  'path_invalid',
  'pattern_invalid',
  'too_many',
  'disk_full',
  // wire and process
  'bad_request',
  'unknown_field',
  'not_found',
  'method_not_allowed',
  'cursor_ahead',
  'invalid',
  'gone',
  'timed_out',
  'internal',
  'usage',
  'script_exhausted',
  'script_unexpected',
  'unreachable',
] as const

export const errorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof errorCode>
export const failureClass = z.enum(failureClasses)
export type FailureClass = z.infer<typeof failureClass>

/** What happened (`message`), why (`class`, `cause`) and what to do next (`action`). */
export const failure = z.object({
  code: errorCode,
  class: failureClass.optional(),
  message: z.string(),
  action: z.string(),
  retryable: z.boolean(),
  cause: z.string().optional(),
})
export type Failure = Readonly<z.infer<typeof failure>>

/** The one error that crosses a package door on purpose; anything else that is thrown is a bug. */
export class TenonError extends Error {
  readonly failure: Failure
  /** Facts for programs: the ids, paths and numbers that the message speaks of. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(failure: Omit<Failure, 'retryable'> & { retryable?: boolean }, facts: Record<string, unknown> = {}) {
    super(failure.message)
    this.name = 'TenonError'
    this.failure = { retryable: false, ...failure }
    this.facts = facts
  }

  get code(): ErrorCode {
    return this.failure.code
  }
}

/** The failure that stands for whatever was thrown: a TenonError's own, else `internal` with its cause. */
export function toFailure(error: unknown): Failure {
  if (error instanceof TenonError) return error.failure
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    code: 'internal',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
    action: 'This is a bug in Tenon; report it with `tenon session events`.',
    retryable: false,
    cause: text.slice(0, 4000),
  }
}
