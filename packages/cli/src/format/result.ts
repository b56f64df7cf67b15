// The `result` object: the one line of `json`, the last line of `stream-json`. Printed in every case. Pure.
import type { Failure, Usage } from '@tenon/protocol'
import type { Report } from './report.ts'

export interface Ended {
  readonly report: Report
  /** Empty when there was no session yet. */
  readonly session: string
  readonly failure: Failure | undefined
  readonly exitCode: number
  /** Milliseconds since the command started. */
  readonly ms: number
}

const subtypes = {
  turns: 'error_max_turns',
  usd: 'error_max_budget_usd',
  minutes: 'error_max_time',
  tokens: 'error_during_execution',
} as const

export function toResult({ report, session, failure, exitCode, ms }: Ended) {
  const { ended } = report
  const success = exitCode === 0 || (ended?.outcome === 'done' && failure === undefined)
  const subtype = success
    ? 'success'
    : ended?.outcome === 'limit'
      ? subtypes[ended.limit ?? 'turns']
      : 'error_during_execution'
  return {
    type: 'result',
    subtype,
    is_error: !success,
    result: report.text,
    session_id: session,
    uuid: ended?.id ?? '',
    ...(ended && { seq: ended.seq }),
    duration_ms: Math.round(ms),
    duration_api_ms: report.apiMs,
    num_turns: report.turns,
    total_cost_usd: toUsd(report.nanoUsd),
    usage: toUsage(report.usage),
    modelUsage: Object.fromEntries(
      Object.entries(report.models).map(([model, { usage, nanoUsd }]) => [model, toModelUsage(usage, nanoUsd)]),
    ),
    permission_denials: report.denials.map(({ ref, input, reason, decidedBy }) => ({
      tool_name: ref.tool,
      tool_use_id: ref.call,
      tool_input: input,
      reason,
      ...(decidedBy.rule !== undefined && { rule: decidedBy.rule }),
      ...(decidedBy.file !== undefined && { file: decidedBy.file }),
    })),
    stop_reason: report.stopReason,
    terminal_reason: ended?.outcome ?? 'failed',
    errors: failure ? [toError(failure)] : [],
    exit_code: exitCode,
  }
}

const toError = ({ code, class: failureClass, message, action }: Failure) => ({
  code,
  ...(failureClass && { class: failureClass }),
  message,
  action,
})

/** Unknown is never shown as 0. */
const toUsd = (nanoUsd: number | null): number | null => (nanoUsd === null ? null : nanoUsd / 1e9)

export const toUsage = ({ input, output, cacheRead, cacheWrite }: Usage) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
})

const toModelUsage = ({ input, output, cacheRead, cacheWrite }: Usage, nanoUsd: number | null) => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadInputTokens: cacheRead,
  cacheCreationInputTokens: cacheWrite,
  costUSD: toUsd(nanoUsd),
})
