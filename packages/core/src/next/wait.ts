// An ask about the run itself (budget, loop) is open: rest, or do what its kind does with nobody to answer.
import { nobody } from './ask.ts'
import { type Running, runEnded } from './end.ts'
import { append, type NextContext, rest, type Step } from './step.ts'

export function waitFor(state: Running, context: NextContext, id: string): Step {
  const ask = state.asks.find((other) => other.id === id)
  const expired = ask?.expiresAt != null && ask.expiresAt <= context.now
  if (ask && (context.answerer === 'none' || expired)) return append('rest', nobody(state, ask))
  // The ask stays open: it can be answered later, and the next run reads the answer.
  if (context.answerer === 'stop') return append('rest', [runEnded(state, 'rest', context.now, { outcome: 'asked' })])
  return rest('rest', [], ask?.expiresAt ?? undefined)
}
