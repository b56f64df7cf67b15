// Outcomes by command id, so that a repeat gets the first one. In memory only: after a restart a `cause` in the log answers.
import { type Command, canonicalJson, type Hash, type Outcome } from '@tenon/protocol'

const remembered = 1_000

export interface Outcomes {
  /** The first outcome under this command's id, a refusal when the body differs, or `undefined` for a new one. */
  find(command: Command, causes: readonly string[]): Promise<Outcome> | undefined
  keep(command: Command, outcome: Promise<Outcome>): void
}

export function createOutcomes(hash: Hash): Outcomes {
  const known = new Map<string, { readonly body: string; readonly outcome: Promise<Outcome> }>()
  return {
    find(command, causes) {
      if (command.id === undefined) return undefined
      const first = known.get(command.id)
      if (first)
        return first.body === hash(canonicalJson(command)) ? first.outcome : Promise.resolve(mismatch(command.id))
      return causes.includes(command.id) ? Promise.resolve({ accepted: true, seq: null }) : undefined
    },
    keep(command, outcome) {
      if (command.id === undefined || command.dryRun) return
      known.set(command.id, { body: hash(canonicalJson(command)), outcome })
      const oldest = known.size > remembered ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}

const mismatch = (id: string): Outcome => ({
  accepted: false,
  refusal: {
    code: 'idempotency_mismatch',
    message: `The command id ${id} was used for another command.`,
    action: 'Use a new id for a new command.',
    retryable: false,
  },
})
