// How a run ends: one group that closes its asks and says the outcome, the row that decided it and what it cost.
import type { OpenRun, RunState } from '@tenon/projections'
import { type DraftOf, type Failure, finishOutcomes, type RunOutcome } from '@tenon/protocol'
import { closeAsk } from './close.ts'
import { append, type Step } from './step.ts'

/** A state with its run known to be open. */
export type Running = RunState & { readonly run: OpenRun }

interface Ending {
  readonly outcome: RunOutcome
  readonly failure?: Failure
  readonly limit?: 'turns' | 'usd' | 'tokens' | 'minutes'
}

export function runEnded(state: Running, row: string, now: number, ending: Ending): DraftOf<'run.ended'> {
  const { run, branch } = state
  const finish = finishOutcomes.find((outcome) => outcome === branch.finish)
  return {
    type: 'run.ended',
    by: 'harness',
    run: run.id,
    row,
    ...ending,
    turns: run.turns,
    ms: Math.max(0, now - run.startedAt - run.restedMs),
    usage: run.usage,
    cost: run.unpriced > 0 ? { nanoUsd: null, source: 'unknown' } : { nanoUsd: run.nanoUsd, source: 'catalogue' },
    ...(run.final && { final: run.final }),
    ...(finish && { finish }),
    denials: run.denials,
  }
}

/** Ends the run; asks about the run itself (budget, loop) end with it, asks about calls stay. */
export function end(state: Running, row: string, now: number, ending: Ending): Step {
  const asks = state.asks.filter((ask) => ask.ref === null).map((ask) => closeAsk(ask.id, 'cancelled'))
  return append(row, [...asks, runEnded(state, row, now, ending)])
}
