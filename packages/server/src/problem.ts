// Failures as `application/problem+json`: the same closed codes as everywhere, each with its status.
import { type ErrorCode, type Failure, type Problem, TenonError } from '@tenon/protocol'

/** Status of a thrown code; what is not listed is a refusal: 409. */
const statusOf: Partial<Record<ErrorCode, number>> = {
  bad_request: 400,
  unknown_field: 400,
  not_found: 404,
  unknown_session: 404,
  blob_missing: 404,
  method_not_allowed: 405,
  gone: 410,
  too_large: 413,
  invalid: 422,
  session_in_use: 423,
  closed: 503,
  internal: 500,
  unreachable: 502,
  lease_lost: 503,
  storage_failed: 503,
  storage_readonly: 503,
  timed_out: 504,
  storage_full: 507,
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Refused',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Invalid',
  423: 'In use',
  503: 'Not now',
  500: 'Internal error',
}

/** What `toProblem` needs beside the error. */
export interface ProblemPlace {
  readonly errorId: string
  /** Overrides the status of the code: a refusal is 409 whatever its code says elsewhere. */
  readonly status?: number
}

/** Anything thrown as a problem. A bug shows fixed text and its id only; its cause belongs in the server's own log. */
export function toProblem(error: unknown, { errorId, status }: ProblemPlace): Problem {
  if (!(error instanceof TenonError)) return fromFailure(bug(errorId), {}, { errorId, status: 500 })
  const own = typeof error.facts.status === 'number' ? error.facts.status : undefined
  return fromFailure(error.failure, error.facts, { errorId, status: status ?? own ?? statusOf[error.code] ?? 409 })
}

const bug = (errorId: string): Failure => ({
  code: 'internal',
  message: 'Something failed inside the server.',
  action: `Look for ${errorId} in the server's log.`,
  retryable: false,
})

/** A failure that is data (a refusal) as a problem. */
function fromFailure(failure: Failure, facts: Readonly<Record<string, unknown>>, place: ProblemPlace): Problem {
  const { status: _, fields, retry_after_ms, ...rest } = facts
  const number = place.status ?? statusOf[failure.code] ?? 409
  return {
    type: `urn:tenon:error:${failure.code}`,
    title: titles[number] ?? 'Failed',
    status: number,
    code: failure.code,
    detail: failure.message,
    next: failure.action,
    error_id: place.errorId,
    ...(failure.retryable ? { retryable: true } : {}),
    ...(failure.class ? { class: failure.class } : {}),
    ...(Array.isArray(fields) ? { fields } : {}),
    ...(Object.keys(rest).length > 0 ? { facts: rest } : {}),
    ...(typeof retry_after_ms === 'number' ? { retry_after_ms } : {}),
  }
}

export function problemResponse(problem: Problem): Response {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  const wait = problem.retry_after_ms
  if (wait !== undefined) headers['retry-after'] = String(Math.ceil(wait / 1000))
  const allow = problem.facts?.allow
  if (problem.status === 405 && typeof allow === 'string') headers.allow = allow
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}

/** The session failed in this process: somebody took it over, or its log cannot be written. A fresh look may succeed. */
export const isLost = (error: unknown): error is TenonError =>
  error instanceof TenonError && lostCodes.includes(error.code)

const lostCodes: readonly ErrorCode[] = ['lease_lost', 'storage_full', 'storage_readonly', 'storage_failed']
