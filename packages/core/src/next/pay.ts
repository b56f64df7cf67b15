// Rows 19 to 22: something is owed; may we go on? Budget, turns, loop, retry.
import type { Draft } from '@tenon/protocol'
import { closeAsk } from './close.ts'
import { end, type Running } from './end.ts'
import { harnessMessage } from './harness-message.ts'
import { type LimitName, measure, reachedLimit } from './limit.ts'
import { loopGuard } from './loop-guard.ts'
import { retry } from './retry.ts'
import { append, type NextContext, type Step } from './step.ts'
import { waitFor } from './wait.ts'

export function pay(state: Running, context: NextContext): Step | null {
  // The wind-down reply itself is paid for: only its retries are looked at.
  if (state.branch.windDown === 'asked') return lastReply(state, context)
  return budget(state, context) ?? turns(state, context) ?? loopGuard(state, context) ?? retry(state, context)
}

/** A last reply that cannot be had ends the run as what it is: at its limit. */
function lastReply(state: Running, context: NextContext): Step | null {
  const step = retry(state, context)
  if (!step || step.facts.length === 0) return step
  return end(state, 'wound down', context.now, { outcome: 'limit', limit: reachedLimit(state, context.now) ?? 'turns' })
}

function budget(state: Running, context: NextContext): Step | null {
  const reached = reachedLimit(state, context.now)
  const open = state.asks.find(({ kind }) => kind === 'budget')
  if (!reached || reached === 'turns') {
    return open ? append('budget', [closeAsk(open.id, 'cancelled')]) : warn(state, context)
  }
  if (state.pass.budget === 'once') return null
  if (state.pass.budget === 'stop') return end(state, 'budget', context.now, { outcome: 'limit', limit: reached })
  if (open) return waitFor(state, context, open.id)
  if (state.pass.budget === null && context.answerer !== 'none') return append('budget', [askBudget(reached)])
  if (state.run.turns === 0 && state.pass.budget === null)
    return end(state, 'budget', context.now, { outcome: 'limit', limit: reached })
  return windDown('budget', reached)
}

/** 80 % of a budget is told once. */
function warn(state: Running, { now }: NextContext): Step | null {
  if (state.branch.warned) return null
  const near = measure(state, now).find(({ name, used, limit }) => name !== 'turns' && used >= 0.8 * limit)
  if (!near) return null
  const text = `${Math.floor((100 * near.used) / near.limit)} % of the ${near.name} limit (${near.limit}) is used. Come to an end soon.`
  return append('budget', [
    {
      type: 'context.added',
      by: 'harness',
      kind: 'reminder',
      source: {},
      parts: [{ type: 'text', text }],
      reason: 'limit',
      untrusted: false,
      tokens: Math.ceil(text.length / 4),
    },
  ])
}

function askBudget(name: LimitName): Draft {
  return {
    type: 'ask.opened',
    by: 'harness',
    kind: 'budget',
    title: `The ${name} limit is reached.`,
    detail: 'Raise it, allow one more reply, let the model wind down, or stop.',
    options: [
      { id: 'raise', label: 'Raise', effect: 'sets the limits in `input`' },
      { id: 'once', label: 'One more reply', effect: 'asks again after it' },
      { id: 'wind-down', label: 'Wind down', effect: 'one last reply that sums up' },
      { id: 'stop', label: 'Stop', effect: 'ends the run' },
    ],
    rules: [],
  }
}

const turns = (state: Running, context: NextContext): Step | null =>
  reachedLimit(state, context.now) === 'turns' ? windDown('turns', 'turns') : null

const windDown = (row: string, limit: LimitName): Step =>
  append(row, [
    harnessMessage(
      'windDown',
      `The ${limit} limit is reached: this is your last reply and no tool can be called. State the goal, what is done, what is left and the next step.`,
    ),
  ])
