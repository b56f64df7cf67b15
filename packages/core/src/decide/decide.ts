// decide(state, command): the facts that a command leads to, or why it is refused. Pure; reads the tip.
import type { RunState } from '@tenon/projections'
import type { Command } from '@tenon/protocol'
import { decideAnswer } from './answer.ts'
import { decideConfigure } from './configure.ts'
import { accept, type Decision, refuse } from './decision.ts'
import { decideMove } from './move.ts'
import { decideOpen, type HostFacts } from './open.ts'
import { decideRun, decideStop } from './run.ts'
import { decideSend, decideWithdraw } from './send.ts'

export function decide(state: RunState, command: Command, host: HostFacts): Decision {
  if (command.command === 'open') return decideOpen(state, command, host)
  if (!state.session) {
    return refuse('not_open', 'The session has no events yet.', 'Send `open` first.')
  }
  switch (command.command) {
    case 'send':
      return decideSend(state, command)
    case 'withdraw':
      return decideWithdraw(state, command)
    case 'answer':
      return decideAnswer(state, command)
    case 'run':
      return decideRun(state, command)
    case 'pause':
    case 'interrupt':
      return decideStop(state, command.command)
    case 'configure':
      return decideConfigure(state, command.set, 'person')
    case 'move':
      return decideMove(state, command)
    case 'close':
      return accept()
  }
}
