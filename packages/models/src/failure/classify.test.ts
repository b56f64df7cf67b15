import type { FailureClass } from '@tenon/protocol'
import { expect, test } from 'vitest'
import { toModelFailure } from './provider-error.ts'

/** Bodies as providers send them. */
const said: readonly (readonly [FailureClass, number | undefined, unknown])[] = [
  [
    'rate_limit',
    429,
    { error: { message: 'Rate limit reached for gpt-5', type: 'tokens', code: 'rate_limit_exceeded' } },
  ],
  [
    'quota',
    429,
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      },
    },
  ],
  ['quota', 402, { error: { message: 'Insufficient Balance', code: 'invalid_request_error' } }],
  ['overloaded', 503, 'Service Unavailable'],
  ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  ['overloaded', 500, { error: { message: 'The model is overloaded. Please try again later.' } }],
  ['overloaded', undefined, { error: { message: 'Upstream went away' } }],
  ['server', 500, { error: { message: 'The server had an error', type: 'server_error' } }],
  ['server', 502, '<html><head><title>502</title></head><body>Bad Gateway</body></html>'],
  ['timeout', 504, 'Gateway Time-out'],
  ['auth', 401, { error: { message: 'Incorrect API key provided: sk-x', code: 'invalid_api_key' } }],
  ['auth', 400, [{ error: { code: 400, message: 'API key not valid. Missing API key.', status: 'INVALID_ARGUMENT' } }]],
  ['forbidden', 403, { error: { message: 'Country not supported', code: 'unsupported_country_region_territory' } }],
  [
    'context_overflow',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        code: 'context_length_exceeded',
      },
    },
  ],
  [
    'context_overflow',
    400,
    {
      error: {
        message: 'the request exceeds the available context size (4096 tokens)',
        type: 'exceed_context_size_error',
        code: 400,
      },
    },
  ],
  ['context_overflow', 400, { error: { message: 'prompt is too long: 209000 tokens > 200000 maximum' } }],
  ['context_overflow', 413, 'Request Entity Too Large'],
  [
    'output_limit',
    400,
    { error: { message: 'max_tokens is too large: 64000. This model supports at most 4096 completion tokens.' } },
  ],
  [
    'unsupported',
    400,
    {
      error: {
        message: "Unsupported parameter: 'max_tokens' is not supported with this model.",
        code: 'unsupported_parameter',
      },
    },
  ],
  ['unsupported', 422, { detail: 'Extra inputs are not permitted' }],
  [
    'model_not_found',
    404,
    { error: { message: 'The model `x` does not exist or you do not have access to it.', code: 'model_not_found' } },
  ],
  ['model_not_found', 404, { error: 'model "x" not found, try pulling it first' }],
  [
    'malformed_history',
    400,
    {
      error: {
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      },
    },
  ],
  [
    'malformed_history',
    400,
    { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } },
  ],
  ['malformed_history', 400, { message: 'messages: text content blocks must be non-empty' }],
  [
    'tool_schema',
    400,
    {
      error: {
        message: "Invalid schema for function 'x': schema must have type 'object'",
        code: 'invalid_function_parameters',
      },
    },
  ],
  ['image_rejected', 400, { error: { message: 'You uploaded an unsupported image.', code: 'invalid_image_format' } }],
  ['signature', 400, { error: { message: 'messages.1.content.0: Invalid `signature` in `thinking` block' } }],
  ['content_policy', 400, { error: { message: 'The response was filtered', code: 'content_filter' } }],
  [
    'cache_too_small',
    400,
    {
      error: {
        message: 'Cached content is too small. total_token_count=100, min_total_token_count=1024, cache is too small',
      },
    },
  ],
  ['bad_request', 400, { error: { message: 'Something else' } }],
  ['bad_request', 418, ''],
]

test.each(said)('%s: %s %j', (expected, status, body) => {
  const failure = toModelFailure(body, { provider: 'acme', now: 0, ...(status !== undefined && { status }) })
  expect(failure.class).toBe(expected)
  expect(failure.message).toMatch(/^acme (answered \d+|failed while it answered): ./)
})

test('a page is told without its markup', () => {
  const failure = toModelFailure('<html><style>a{}</style><body><h1>502</h1>Bad&nbsp;Gateway</body>', {
    provider: 'acme',
    status: 502,
    now: 0,
  })
  expect(failure.message).toBe('acme answered 502: 502 Bad&nbsp;Gateway')
})
