// A provider's error, from a body or from inside a stream, as a ModelFailure.
import { ModelFailure } from '@tenon/core'
import { classify, type ProviderError } from './classify.ts'
import { type Headers, retryAfterOf } from './retry-after.ts'

export interface ErrorSource {
  /** Who failed, for the message. */
  readonly provider: string
  readonly status?: number
  readonly headers?: Headers
  /** Milliseconds UTC, for waits given as a date. */
  readonly now: number
}

/** @param body parsed JSON or the raw text; the shapes of all known providers are understood */
export function toModelFailure(body: unknown, { provider, status, headers = {}, now }: ErrorSource): ModelFailure {
  const { codes, message } = readError(body)
  const error: ProviderError = { codes, message, ...(status !== undefined && { status }) }
  const retryAfter = retryAfterOf(headers, message, now)
  const answered = status === undefined ? 'failed while it answered' : `answered ${status}`
  return new ModelFailure(classify(error), `${provider} ${answered}: ${message.slice(0, 2000) || 'no reason given'}`, {
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

/** `{error: {message, code, type}}`, `{error: "…"}`, `{message}`, `{detail}`, the same in a list, or plain text. */
function readError(body: unknown): Pick<ProviderError, 'codes' | 'message'> {
  if (typeof body === 'string') return { codes: [], message: toPlain(body) }
  if (Array.isArray(body)) return readError(body[0])
  if (!isRecord(body)) return { codes: [], message: '' }
  const inner = body.error ?? body
  if (!isRecord(inner)) return { codes: [], message: String(inner) }
  const words = [inner.message, inner.detail, inner.msg, body.message].find((text) => typeof text === 'string')
  const codes = [inner.code, inner.type, inner.status].filter((code) => typeof code === 'string')
  return { codes, message: String(words ?? JSON.stringify(inner)) }
}

/** A gateway's page without its markup. */
const toPlain = (text: string): string =>
  text
    .replace(/<(style|script|head)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
