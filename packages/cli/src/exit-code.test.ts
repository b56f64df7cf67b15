import type { Failure } from '@tenon/protocol'
import { expect, test } from 'vitest'
import { type Ending, exitCode } from './exit-code.ts'

const failure = (code: Failure['code'], kind?: Failure['class']): Failure => ({
  code,
  ...(kind && { class: kind }),
  message: '',
  action: '',
  retryable: false,
})

test.each<[Ending['outcome'], Partial<Ending>, number]>([
  ['done', {}, 0],
  ['done', { unanswered: true }, 4],
  ['done', { finish: 'partial' }, 0],
  ['done', { finish: 'blocked' }, 1],
  ['asked', {}, 4],
  ['limit', {}, 5],
  ['stuck', {}, 8],
  ['refused', {}, 1],
  ['interrupted', {}, 130],
  ['paused', {}, 130],
  ['failed', { failure: failure('model_failed', 'auth') }, 3],
  ['failed', { failure: failure('no_provider', 'model_not_found') }, 3],
  ['failed', { failure: failure('model_failed', 'overloaded') }, 6],
  ['failed', { failure: failure('model_failed', 'bad_request') }, 1],
  ['failed', { failure: failure('context_too_big', 'context_overflow') }, 1],
  ['none', { failure: failure('session_in_use') }, 7],
  ['none', { failure: failure('storage_full') }, 7],
  ['none', { failure: failure('usage') }, 2],
  ['none', {}, 1],
])('%s %j → %i', (outcome, more, code) => {
  expect(exitCode({ outcome, unanswered: false, ...more })).toBe(code)
})
