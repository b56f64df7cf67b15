// perform(effect): events and live fragments. The only place that touches the world; never rejects: a bug becomes the effect's own end.
import type { RunState } from '@tenon/projections'
import { type Draft, toFailure } from '@tenon/protocol'
import { finished } from '../next/close.ts'
import type { Effect } from '../next/step.ts'
import { gather } from './gather.ts'
import { judgeCall } from './judge.ts'
import { callModel } from './model.ts'
import type { PerformPorts } from './ports.ts'
import { resolveCall } from './resolve.ts'
import { runTool } from './tool.ts'

export const createPerform =
  (ports: PerformPorts) =>
  async (effect: Effect, state: RunState, signal: AbortSignal): Promise<readonly Draft[]> => {
    try {
      switch (effect.type) {
        case 'gather':
          return await gather(ports, effect, state)
        case 'judge':
          return await judgeCall(ports, effect.call, state)
        case 'resolve':
          return resolveCall(ports, effect.call, state)
        case 'tool':
          return await runTool(ports, effect.call, state, signal)
        case 'model':
          return await callModel(ports, effect.attempt, state, signal)
      }
    } catch (error) {
      return failed(effect, error, ports)
    }
  }

function failed(effect: Effect, error: unknown, ports: PerformPorts): Draft[] {
  const failure = toFailure(error)
  if (effect.type === 'gather') return [{ type: 'effect.ended', by: 'harness', key: effect.key, failure }]
  if (effect.type === 'model') {
    const { id, purpose } = effect.attempt
    const roll = ports.clock.random()
    return [
      { type: 'model.failed', by: 'harness', attempt: id, purpose, roll, failure: { class: 'internal', ...failure } },
    ]
  }
  const content = [{ type: 'error', code: failure.code, message: failure.message, next: failure.action }] as const
  return [finished(effect.call.ref, { by: 'harness', status: 'error', unstarted: 'invalid', content })]
}
