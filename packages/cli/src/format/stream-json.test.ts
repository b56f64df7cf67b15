// The lines that only provider failures and fragments make; whole streams are tested through the command.
import type { Event, Live } from '@tenon/protocol'
import { expect, test } from 'vitest'
import { createStreamEncoder } from './stream-json.ts'

// Only the fields that the encoder reads.
const event = (fields: Readonly<Record<string, unknown>>): Event =>
  ({ seq: 1, id: 'ev_1', at: 1000, ...fields }) as unknown as Event
const failed = (kind: string) =>
  event({ type: 'model.failed', roll: 0.5, retryAfter: 3000, failure: { class: kind, message: 'busy' } })

test('a retry says which of how many, and when; the last failure is left to the result', () => {
  const { event: encode } = createStreamEncoder('ses_1', false)
  const line = {
    type: 'system',
    subtype: 'api_retry',
    max_attempts: 5,
    retry_in_ms: 3000,
    class: 'rate_limit',
    session_id: 'ses_1',
  }
  expect(encode(failed('rate_limit'))).toEqual([expect.objectContaining({ ...line, attempt: 1 })])
  expect(encode(failed('rate_limit'))).toEqual([expect.objectContaining({ ...line, attempt: 2 })])
  expect(encode(failed('auth'))).toEqual([])
})

test('fragments become stream events only when asked for; a dropped reply ends its message', () => {
  const delta = (text: string, n: number): Live => ({
    type: 'message.delta',
    message: 'ev_9',
    part: 0,
    kind: 'text',
    text,
    n,
  })
  expect(createStreamEncoder('ses_1', false).live(delta('a', 0))).toEqual([])
  const { live } = createStreamEncoder('ses_1', true)
  const types = (fragment: Live) => live(fragment).map((line) => (line.event as { readonly type: string }).type)
  expect(types(delta('a', 0))).toEqual(['message_start', 'content_block_start', 'content_block_delta'])
  expect(types(delta('b', 1))).toEqual(['content_block_delta'])
  expect(types({ type: 'message.dropped', message: 'ev_9', reason: 'stalled' })).toEqual([
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})
