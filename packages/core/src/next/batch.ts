// Rows 4 to 7 of the open batch: close, judge, start, rest. Each call is looked at in call order, so one step may do several.
import { type Call, callPrint, isFinishing } from '@tenon/projections'
import type { Draft, Hash } from '@tenon/protocol'
import { nobody } from './ask.ts'
import { cancelledResult, invalidResult } from './close.ts'
import { conflicts } from './conflict.ts'
import { end, type Running } from './end.ts'
import { ongoing } from './ongoing.ts'
import { append, type Effect, type NextContext, rest, type Step } from './step.ts'

export function batch(state: Running, context: NextContext): Step | null {
  const calls = state.batch?.calls
  if (!calls) return null
  const closed = calls.flatMap((call, i) => close(state, calls, call, i, context.hash))
  if (closed.length > 0) return append('close', closed, ongoing(state))
  const judged = calls.filter((call) => needsJudge(state, call)).map(judge(state))
  const { facts, effects } = start(state, calls)
  const all = [...ongoing(state), ...judged, ...effects]
  if (facts.length > 0) return append('start', facts, all)
  if (judged.length > 0) return rest('judge', all, expiry(state))
  if (effects.length > 0) return rest('start', all)
  return asked(state, context, all)
}

/** Row 4: calls that get their result without a start. */
function close(state: Running, calls: readonly Call[], call: Call, i: number, hash: Hash): Draft[] {
  if (call.state !== 'unjudged') return []
  if (call.invalid) return [invalidResult(call.ref, call.invalid.code, call.invalid.message)]
  if (state.batch?.windDown) return [cancelledResult(call.ref, 'the run is winding down')]
  const before = calls.slice(0, i)
  if (before.some((other) => isFinishing(other.ref.tool) && other.invalid === undefined)) {
    return [cancelledResult(call.ref, 'it stands behind the call that finishes the work')]
  }
  const { loop } = state.branch
  if (loop.rung > 0 && loop.repeated.includes(callPrint(call.ref.tool, call.written, hash))) {
    return [
      cancelledResult(
        call.ref,
        'skipped as repeated: the same call gave the same result several times. Step back and try another way',
      ),
    ]
  }
  return []
}

/** Unjudged calls, and verdicts older than the rules; a call that finishes the work waits for those before it. */
function needsJudge(state: Running, call: Call): boolean {
  if (call.state === 'unjudged') return true
  const stale = call.judged !== null && call.judged.verdicts < state.verdicts
  return stale && (call.state === 'allowed' || (call.state === 'asked' && call.judged?.kind !== 'ask'))
}

const judge =
  (state: Running) =>
  (call: Call): Effect => ({
    type: 'judge',
    key: `judge:${call.ref.message}:${call.ref.call}:${state.verdicts}:${call.approved}`,
    begun: false,
    call,
  })

/** Row 6: allowed calls that conflict with nothing before them and nothing running, up to the limit. */
function start(state: Running, calls: readonly Call[]): { facts: readonly Draft[]; effects: readonly Effect[] } {
  const facts: Draft[] = []
  const effects: Effect[] = []
  const running = calls.filter((call) => call.state === 'running')
  for (const [i, call] of calls.entries()) {
    const { judged } = call
    if (call.state !== 'allowed' || !judged || needsJudge(state, call)) continue
    if (running.length >= state.settings['limits.parallelTools']) break
    const before = calls.slice(0, i).filter((other) => other.state !== 'done')
    if (isFinishing(call.ref.tool) ? before.length > 0 : conflicts(call, [...before, ...running])) continue
    running.push(call)
    if (judged.kind !== 'run')
      effects.push({ type: 'resolve', key: `resolve:${call.ref.message}:${call.ref.call}`, begun: false, call })
    else {
      facts.push({
        type: 'tool.started',
        by: 'harness',
        ref: call.ref,
        input: judged.input,
        inputHash: judged.inputHash,
        wire: { name: call.name, ...(call.wireId !== undefined && { id: call.wireId }) },
        repairs: judged.repairs,
        resources: judged.resources,
        timeoutMs: judged.timeoutMs,
        secrets: [],
      })
    }
  }
  return { facts, effects }
}

/** Row 7: calls run, or wait for answers; with nobody to answer an ask means deny, or the run stops at it. */
function asked(state: Running, context: NextContext, effects: readonly Effect[]): Step {
  const asks = state.asks.filter((ask) => ask.ref !== null)
  const expired = asks.filter((ask) => ask.expiresAt !== null && ask.expiresAt <= context.now)
  const unanswered = context.answerer === 'none' ? asks : expired
  if (unanswered.length > 0)
    return append(
      'rest',
      unanswered.flatMap((ask) => nobody(state, ask)),
      effects,
    )
  if (context.answerer === 'stop' && effects.length === 0 && asks.length > 0) {
    return end(state, 'rest', context.now, { outcome: 'asked' })
  }
  return rest('rest', effects, expiry(state))
}

function expiry(state: Running): number | undefined {
  const times = state.asks.flatMap((ask) => (ask.expiresAt === null ? [] : [ask.expiresAt]))
  return times.length > 0 ? Math.min(...times) : undefined
}
