// Answers that are not what was asked for, as the one error type.
import { type ErrorCode, errorCode, problem, TenonError } from '@tenon/protocol'

/** What the wire adds to a failure: `facts` of errors that this client throws. */
export interface WireFacts {
  readonly status: number
  readonly errorId?: string
  readonly fields?: readonly { readonly path: string; readonly rule: string }[]
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs?: number
}

/** The error that a failed answer stands for; what is no problem JSON (a proxy's page) says so. */
export async function toError(response: Response): Promise<TenonError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  const found = problem.safeParse(parse(text))
  if (!found.success) return notOurs(response, 'a problem in JSON')
  const { code, detail, next, error_id, retryable, fields, facts, retry_after_ms } = found.data
  const known = errorCode.safeParse(code)
  const failure = { code: known.success ? known.data : codeOf(status), message: detail, action: next }
  const wire: WireFacts = {
    status,
    errorId: error_id,
    ...(fields ? { fields } : {}),
    ...(retry_after_ms === undefined ? {} : { retryAfterMs: retry_after_ms }),
  }
  const kind = found.data.class ? { class: found.data.class } : {}
  return new TenonError({ ...failure, ...kind, retryable: retryable ?? false }, { ...facts, ...wire, wireCode: code })
}

/** An answer of another kind than asked for. */
export const notOurs = (response: Response, wanted: string): TenonError =>
  new TenonError(
    {
      code: codeOf(response.status),
      message: `Expected ${wanted}, got status ${response.status} with ${response.headers.get('content-type') ?? 'no content type'}.`,
      action: 'Check that the address is a Tenon server and that no proxy answers in its place.',
    },
    { status: response.status } satisfies WireFacts,
  )

function codeOf(status: number): ErrorCode {
  if (status === 404) return 'not_found'
  if (status === 410) return 'gone'
  return status >= 500 ? 'internal' : 'bad_request'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a rejected fetch stands for: its own TenonError, else a lost connection, which may be tried again. */
export function toLoss(error: unknown): TenonError {
  if (error instanceof TenonError) return error
  const cause =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
  return new TenonError({
    code: 'unreachable',
    message: 'The connection to the server was lost.',
    action: 'It is tried again; check that the server runs if this goes on.',
    retryable: true,
    cause,
  })
}
