// The exit code of a headless run: the table of the engine page, the first row that holds. Pure.
import type { ErrorCode, Failure, FailureClass } from '@tenon/protocol'

const storage: readonly ErrorCode[] = [
  'session_in_use',
  'lease_lost',
  'log_damaged',
  'log_duplicate_id',
  'log_missing_parent',
  'log_cycle',
  'log_newer',
  'storage_full',
  'storage_readonly',
  'storage_failed',
  'quota_exceeded',
  'disk_full',
  'unreachable',
]
const misuse: readonly ErrorCode[] = [
  'usage',
  'bad_setting',
  'locked_setting',
  'unknown_session',
  'ambiguous_session',
  'id_taken',
  'nothing_to_run',
  'empty_message',
  'too_large',
  'unknown_ask',
  'ask_closed',
  'bad_answer',
  'not_running',
  'bad_request',
  'not_a_folder',
  'file_missing',
  'not_open',
  'invalid',
]
const noModel: readonly ErrorCode[] = ['no_provider', 'unknown_model']
const noModelClass: readonly FailureClass[] = ['auth', 'quota', 'forbidden', 'model_not_found']
const unavailable: readonly FailureClass[] = [
  'rate_limit',
  'overloaded',
  'connection',
  'timeout',
  'stalled',
  'server',
  'empty',
]

/** What a failure alone amounts to, before or without a run. */
export function failureExitCode({ code, class: failureClass }: Failure): number {
  if (misuse.includes(code)) return 2
  if (code === 'interrupted') return 130
  if (storage.includes(code)) return 7
  if (noModel.includes(code)) return 3
  if (failureClass && noModelClass.includes(failureClass)) return 3
  if (failureClass && unavailable.includes(failureClass)) return 6
  return 1
}

export interface Ending {
  /** `none`: it ended before its run did. */
  readonly outcome: 'done' | 'asked' | 'paused' | 'interrupted' | 'stuck' | 'limit' | 'refused' | 'failed' | 'none'
  readonly failure?: Failure | undefined
  /** What a finishing tool reported. */
  readonly finish?: string | undefined
  /** An ask found no answerer while `--strict-permissions` was set. */
  readonly unanswered: boolean
}

export function exitCode({ outcome, failure, finish, unanswered }: Ending): number {
  switch (outcome) {
    case 'interrupted':
    case 'paused':
      return 130
    case 'stuck':
      return 8
    case 'limit':
      return 5
    case 'asked':
      return 4
    case 'refused':
      return 1
    case 'done':
      if (finish === 'blocked' || finish === 'failed') return 1
      return unanswered ? 4 : 0
    default:
      return failure ? failureExitCode(failure) : 1
  }
}

export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const
export type StopSignal = keyof typeof signalExitCodes
