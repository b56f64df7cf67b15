// Row 21: the same call with the same result, the same error, or talk without action. Nudge, then skip, then ask, then stop.
import type { Print } from '@tenon/projections'
import { closeAsk } from './close.ts'
import { end, type Running } from './end.ts'
import { harnessMessage } from './harness-message.ts'
import { append, type NextContext, type Step } from './step.ts'
import { waitFor } from './wait.ts'

const maxCycle = 3
const silentReplies = 3

export function loopGuard(state: Running, context: NextContext): Step | null {
  const open = state.asks.find(({ kind }) => kind === 'loop')
  const hit = state.settings['checks.stuck'] ? findLoop(state) : null
  if (!hit) return open ? append('loop', [closeAsk(open.id, 'cancelled')]) : null
  if (state.pass.loop === 'allow') return null
  if (state.pass.loop === 'stop') return stuck(state, context, hit)
  if (open) return waitFor(state, context, open.id)
  const { rung } = state.branch.loop
  if (rung === 0) return append('loop', [harnessMessage('loop', advice(hit))])
  // Rung 2: the repeated calls were just skipped, their results say so.
  if (rung === 2) return null
  return context.answerer === 'none' ? stuck(state, context, hit) : append('loop', [askLoop(hit)])
}

/** What repeats, in words, or `null`. After a nudge only something new counts. */
function findLoop(state: Running): string | null {
  const { prints, silent, moves, loop } = state.branch
  if (loop.rung > 1) return 'the same call again after it was skipped'
  if (moves <= loop.at) return null
  const repeats = state.settings['checks.stuckRepeats']
  if (repeatsAtTail(prints, repeats)) return `the same call with the same result ${repeats} times`
  if (sameError(prints, repeats)) return `the same call with the same error ${repeats} times`
  if (silent >= silentReplies + (loop.rung > 0 ? 1 : 0)) return `${silent} replies without a call`
  return null
}

function repeatsAtTail(prints: readonly Print[], repeats: number): boolean {
  for (let cycle = 1; cycle <= maxCycle; cycle++) {
    const tail = prints.slice(-cycle * repeats)
    if (tail.length < cycle * repeats) return false
    if (tail.every((print, i) => same(print, tail[i % cycle]))) return true
  }
  return false
}

function sameError(prints: readonly Print[], repeats: number): boolean {
  const last = prints.at(-1)
  return last?.failed === true && prints.filter((print) => same(print, last)).length >= repeats
}

const same = (a: Print, b: Print | undefined): boolean => a.call === b?.call && a.result === b.result

const advice = (hit: string): string =>
  `You are going in circles: ${hit}. The results stand as they are. Say what they tell you, then try something else, or explain what blocks you.`

const stuck = (state: Running, { now }: NextContext, hit: string): Step =>
  end(state, 'loop', now, {
    outcome: 'stuck',
    failure: {
      code: 'stuck',
      message: `The run went in circles: ${hit}.`,
      action: 'Give a hint with a new message, or use another model.',
      retryable: false,
    },
  })

const askLoop = (hit: string) =>
  ({
    type: 'ask.opened',
    by: 'harness',
    kind: 'loop',
    title: 'The agent goes in circles.',
    detail: `It did ${hit}.`,
    options: [
      { id: 'allow', label: 'Let it go on', effect: 'once, then armed again' },
      { id: 'advise', label: 'Advise', effect: 'sends your text' },
      { id: 'stop', label: 'Stop', effect: 'ends the run as stuck' },
    ],
    rules: [],
  }) as const
