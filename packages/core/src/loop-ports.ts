// What the loop is given, and what of an effect's result may still be appended.
import { findCall, type RunState } from '@tenon/projections'
import { type Draft, type Event, TenonError } from '@tenon/protocol'
import type { Stamps } from './append.ts'
import type { Lease } from './log.ts'
import type { Effect, NextContext } from './next/step.ts'

export interface LoopPorts extends Stamps {
  readonly lease: Lease
  readonly context: () => NextContext
  /** Runs one effect to its end; never rejects. The drafts are appended as one group. */
  readonly perform: (effect: Effect, state: RunState, signal: AbortSignal) => Promise<readonly Draft[]>
  /** Resolves at `at` (ms UTC) or when aborted. */
  readonly sleep: (at: number, signal: AbortSignal) => Promise<void>
  /** Told after each append became durable, and once with the error when the loop ends. */
  readonly told: (events: readonly Event[], state: RunState) => void
  readonly failed: (error: unknown) => void
}

/** Of a tool that ended after its call was closed only the facts about files count; of a closed attempt, nothing. */
export function admissible(state: RunState, effect: Effect, drafts: readonly Draft[]): readonly Draft[] {
  if (effect.type === 'tool' && findCall(state.batch, effect.call.ref)?.state !== 'running') {
    return drafts.filter(({ type }) => type === 'file.changed')
  }
  if (effect.type === 'model' && !state.attempts.some(({ id }) => id === effect.attempt.id)) return []
  return drafts
}

export const endless = (what: string): TenonError =>
  new TenonError({
    code: 'effect_without_end',
    message: `"${what}" came back although it had ended.`,
    action: 'This is a bug in Tenon; report it with `tenon session events`.',
  })
