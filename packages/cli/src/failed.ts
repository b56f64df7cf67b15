// The last stop of every error of a command: what, what to do, the exit code. No stack unless it is a bug.
import { toFailure } from '@tenon/protocol'
import { failureExitCode } from './exit-code.ts'

export function tellFailure(error: unknown): number {
  const failure = toFailure(error)
  process.stderr.write(`tenon: ${failure.message}\n  ${failure.action}\n`)
  if (failure.code === 'internal' && failure.cause) process.stderr.write(`${failure.cause}\n`)
  return failureExitCode(failure)
}
