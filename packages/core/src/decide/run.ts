// run, pause, interrupt: wishes about runs. The order in the log is the generation: a stop spends every request before it.
import type { RunState } from '@tenon/projections'
import type { CommandOf, Draft } from '@tenon/protocol'
import { decideConfigure } from './configure.ts'
import { accept, type Decision, refuse } from './decision.ts'

export function decideRun(state: RunState, command: CommandOf<'run'>): Decision {
  if (state.run || state.requests.length > 0) return accept()
  // After a wind-down nothing is owed, yet the work is not done: `run` grants the limits afresh.
  const { owed, windDown } = state.branch
  const waits = owed !== null || windDown === 'said' || state.batch !== null || state.queue.length > 0
  if (!waits) return refuse('nothing_to_run', 'No message, reply or call waits.', 'Send a message.')
  const limits = Object.entries(command.limits ?? {}).map(([name, value]) => [`limits.${name}`, value ?? null])
  const configured = decideConfigure(state, Object.fromEntries(limits), 'person')
  if ('refusal' in configured) return configured
  const wish: Draft = { type: 'run.requested', by: 'person', reason: 'run' }
  return accept(...configured.events, wish)
}

export function decideStop(state: RunState, how: 'pause' | 'interrupt'): Decision {
  if (state.run) {
    const known = state.run.stopping === how || state.run.stopping === 'interrupt'
    return known ? accept() : accept({ type: 'run.stopping', by: 'person', run: state.run.id, how })
  }
  const request = state.requests[0]
  if (request) return accept({ type: 'run.stopping', by: 'person', request: request.id, how })
  return refuse('not_running', 'No run is open and none is asked for.', 'Nothing needs to be stopped.')
}
