// What a decision is: drafts to append, or a refusal with its code, its reason and the next step.
import type { Draft, ErrorCode, Failure } from '@tenon/protocol'

interface Refusal extends Failure {
  readonly facts?: Readonly<Record<string, unknown>>
}

export type Decision = { readonly events: readonly Draft[] } | { readonly refusal: Refusal }

export const accept = (...events: readonly Draft[]): Decision => ({ events })

export const refuse = (
  code: ErrorCode,
  message: string,
  action: string,
  facts?: Record<string, unknown>,
): Decision => ({
  refusal: { code, message, action, retryable: false, ...(facts && { facts }) },
})
