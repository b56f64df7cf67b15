import { expect, test } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

const now = Date.UTC(2026, 0, 1)

test.each<[Record<string, string>, string, number | undefined]>([
  [{}, '', undefined],
  [{ 'retry-after': '3' }, '', 3000],
  [{ 'retry-after': '0.5' }, '', 500],
  [{ 'retry-after': new Date(now + 4000).toUTCString() }, '', 4000],
  [{ 'retry-after': new Date(now - 4000).toUTCString() }, '', 0],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, '', 250],
  [{ 'retry-after': 'soon' }, '', undefined],
  [
    {
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-requests': '20ms',
      'x-ratelimit-remaining-requests': '5',
    },
    '',
    360_000,
  ],
  [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-remaining-requests': '3' }, '', undefined],
  [
    { 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:07Z', 'anthropic-ratelimit-tokens-remaining': '0' },
    '',
    7000,
  ],
  [{ 'x-ratelimit-reset': String(now / 1000 + 9) }, '', 9000],
  [{ 'x-ratelimit-reset': String(now + 9000) }, '', 9000],
  [{ 'ratelimit-reset': '12' }, '', 12_000],
  [{}, 'Rate limit reached. Please try again in 1.5s. Visit …', 1500],
  [{}, 'Please retry after 20 ms', 20],
])('%j %j → %s', (headers, text, expected) => {
  expect(retryAfterOf(headers, text, now)).toBe(expected)
})
