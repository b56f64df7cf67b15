// How providers say each class of failure: status, code and words. The adapters' class table has to read these back.
import type { FailureClass } from '@tenon/protocol'
import type { WireError } from './format.ts'
import type { ServerFail } from './turn.ts'

type Row = readonly [status: number, code: string, message: string]

const internal: Row = [500, 'server_error', 'The server had an error while processing your request.']

const rows: Readonly<Record<FailureClass, Row>> = {
  rate_limit: [429, 'rate_limit_exceeded', 'Rate limit reached for requests.'],
  overloaded: [503, 'overloaded', 'The engine is currently overloaded, please try again later.'],
  connection: internal,
  timeout: [504, 'timeout', 'The upstream request timed out.'],
  stalled: internal,
  server: internal,
  empty: internal,
  auth: [401, 'invalid_api_key', 'Incorrect API key provided.'],
  forbidden: [403, 'forbidden', 'Your account has no access to this resource.'],
  quota: [402, 'insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.'],
  context_overflow: [
    400,
    'context_length_exceeded',
    "This model's maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.",
  ],
  output_limit: [400, 'invalid_request_error', 'max_tokens is too large: 64000. This model supports at most 4096.'],
  cache_too_small: [400, 'invalid_request_error', 'Cached content is too small.'],
  unsupported: [400, 'unsupported_parameter', "Unsupported parameter: 'temperature' is not supported with this model."],
  image_rejected: [400, 'invalid_image', 'Could not process image.'],
  signature: [400, 'invalid_request_error', 'Invalid `signature` in `thinking` block.'],
  malformed_history: [
    400,
    'invalid_request_error',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  ],
  tool_schema: [400, 'invalid_function_parameters', "Invalid schema for function 'Bash': schema must be an object."],
  model_not_found: [404, 'model_not_found', 'The model does not exist or you do not have access to it.'],
  bad_request: [400, 'invalid_request_error', 'Invalid request.'],
  content_policy: [400, 'content_policy_violation', 'Your request was rejected by our safety system.'],
  cancelled: internal,
  interrupted: internal,
  internal,
}

export function toWireError({ class: failureClass, status, message }: ServerFail): WireError {
  const [usual, code, words] = rows[failureClass]
  return { status: status ?? usual, code, message: message ?? words }
}

export const badRequest = (message: string, code = 'invalid_request_error'): WireError => ({
  status: 400,
  code,
  message,
})
