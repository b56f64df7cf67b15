// Rows 1 to 3: interrupt, pause, steer. What a person ordered comes before everything else.
import { cancelCalls, closeAsk } from './close.ts'
import { type Running, runEnded } from './end.ts'
import { ongoing } from './ongoing.ts'
import { append, type NextContext, rest, type Step } from './step.ts'

export function orders(state: Running, context: NextContext): Step | null {
  if (state.run.stopping === 'interrupt') return interrupt(state, context)
  if (state.run.stopping === 'pause') return pause(state, context)
  return steer(state)
}

/** Aborts what runs (its keys are no longer returned), then closes what never ran, then ends. */
function interrupt(state: Running, { now }: NextContext): Step {
  if (ongoing(state).length > 0) return rest('interrupt')
  const calls = cancelCalls(state, 'interrupted', () => true)
  const asks = state.asks.filter((ask) => ask.ref === null).map((ask) => closeAsk(ask.id, 'cancelled'))
  return append('interrupt', [...calls, ...asks, runEnded(state, 'interrupt', now, { outcome: 'interrupted' })])
}

/** Starts nothing; what runs comes in; unstarted calls and asks stay for the next run. */
function pause(state: Running, { now }: NextContext): Step {
  const running = ongoing(state)
  if (running.length > 0) return rest('pause', running)
  return append('pause', [runEnded(state, 'pause', now, { outcome: 'paused' })])
}

/** A steer waits and the model's batch is open: running calls finish, the rest is skipped; `deliver` follows at the boundary. */
function steer(state: Running): Step | null {
  if (state.batch?.by !== 'agent' || !state.queue.some(({ delivery }) => delivery === 'steer')) return null
  const facts = cancelCalls(state, 'skipped: new instruction', () => true)
  return facts.length > 0 ? append('steer', facts, ongoing(state)) : rest('steer', ongoing(state))
}
