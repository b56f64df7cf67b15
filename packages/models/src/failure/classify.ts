// The class table of the engine page as data: which class a provider's error belongs to, by status, code, then text.
import type { FailureClass } from '@tenon/protocol'

export interface ProviderError {
  /** HTTP status; absent for an error inside a stream. */
  readonly status?: number
  /** `code` and `type` of the provider's error object. */
  readonly codes: readonly string[]
  readonly message: string
}

type Row = readonly [FailureClass, RegExp]

const byStatus: Readonly<Record<number, FailureClass>> = {
  401: 'auth',
  402: 'quota',
  408: 'timeout',
  413: 'context_overflow',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
}

const byCode: readonly Row[] = [
  [
    'context_overflow',
    /^(context_length_exceeded|context_window_exceeded|string_above_max_length|exceed_context_size_error)$/,
  ],
  ['quota', /^(insufficient_quota|billing_.*|credit_.*|.*insufficient_balance)$/],
  ['rate_limit', /^(rate_limit.*|resource_exhausted|too_many_requests|throttling.*)$/],
  ['overloaded', /overload|^(service_)?unavailable$/],
  ['auth', /^(invalid_api_key|authentication_error|unauthenticated|invalid_authentication.*)$/],
  ['forbidden', /^(permission_(error|denied)|forbidden|.*_country_.*)$/],
  ['model_not_found', /^model_not_(found|supported)$/],
  ['content_policy', /content_(filter|policy)|safety|moderation/],
  ['tool_schema', /^invalid_function_parameters$/],
  ['image_rejected', /image/],
  ['unsupported', /^unsupported_/],
  ['timeout', /timeout/],
  ['server', /^(server_error|api_error|internal.*)$/],
]

/** Before the ones of 4xx only: what they say wins over a bare 400 or 500. */
const byText: readonly Row[] = [
  [
    'context_overflow',
    /(context|prompt|input)( \w+)* (length|window|size|too (long|large))|prompt is too long|reduce the length|too many (input )?tokens/,
  ],
  [
    'output_limit',
    /(max_(completion_|output_)?tokens|output tokens|completion tokens).*(too large|at most|exceed|less than|maximum)|at most \d+ (output|completion)/,
  ],
  ['quota', /quota|billing|insufficient (balance|funds|credits)|credit balance/],
  ['auth', /(invalid|incorrect|missing|no) (api|auth)[ -]?\w*/],
  ['rate_limit', /rate.?limit|too many requests/],
  ['overloaded', /overload|at capacity|temporarily unavailable/],
  ['signature', /signature/],
  ['cache_too_small', /cache.*(too small|minimum)/],
  ['tool_schema', /(schema|parameters).*(function|tool)|(function|tool)\S*.*(schema|invalid tool name)|input_schema/],
  [
    'malformed_history',
    /tool_call|tool_use|tool_result|tool messages?|role 'tool'|alternat|first message|last message|(content|text).*(empty|non-empty)|function response/,
  ],
  ['image_rejected', /image/],
  ['model_not_found', /model.*(not (found|exist|supported)|does not exist|unknown)|unknown model|no such model/],
  ['content_policy', /content (policy|filter|management)|safety system|moderation/],
  [
    'unsupported',
    /unsupported|not supported|does not support|unrecognized|unknown (parameter|argument|field)|extra inputs/,
  ],
]

const find = (rows: readonly Row[], text: string) => rows.find(([, pattern]) => pattern.test(text))?.[0]

/** A status that says it all, then the provider's code, then its words, then what the status says at least. */
export function classify({ status, codes, message }: ProviderError): FailureClass {
  const code = codes.map((text) => find(byCode, text.toLowerCase())).find(Boolean)
  // 429 is quota when the code says so; waiting would not help.
  if (status === 429)
    return code === 'quota' || /insufficient_quota|check your plan/.test(message) ? 'quota' : 'rate_limit'
  const certain = status === undefined ? undefined : byStatus[status]
  if (certain) return certain
  const said = code ?? find(byText, message.toLowerCase())
  if (status === undefined) return said ?? 'overloaded'
  if (status >= 500) return said === 'overloaded' || said === 'rate_limit' ? said : 'server'
  if (said && said !== 'server') return said
  if (status === 403) return 'forbidden'
  return status === 404 ? 'model_not_found' : 'bad_request'
}
