// send, withdraw: a message is stored and a run asked for in one append, so there is no instant in which it is lost.
import type { RunState } from '@tenon/projections'
import { type CommandOf, type Draft, place } from '@tenon/protocol'
import { accept, type Decision, refuse } from './decision.ts'

const queueMessages = 100
const queueChars = 10 * 1024 * 1024

export function decideSend(state: RunState, command: CommandOf<'send'>): Decision {
  const parts = command.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  if (parts.length === 0) return refuse('empty_message', 'The message has no text, image or call.', 'Send some text.')
  const waiting = state.queue.reduce((sum, message) => sum + message.chars, 0)
  const size = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), waiting)
  if (state.queue.length >= queueMessages || size > queueChars) {
    return refuse(
      'too_large',
      `${state.queue.length} messages of ${waiting} characters wait already; the queue holds ${queueMessages} messages and ${queueChars} characters.`,
      'Wait until some are delivered, withdraw one, or put a long text into a file and name it.',
    )
  }
  const delivery = command.delivery === 'queue' ? 'queue' : 'steer'
  const queued: Draft = { type: 'message.queued', by: 'person', parts, delivery }
  if (command.run === false) return accept(queued)
  return accept(queued, { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) })
}

export function decideWithdraw(state: RunState, command: CommandOf<'withdraw'>): Decision {
  if (state.queue.some(({ id }) => id === command.queued)) {
    return accept({ type: 'message.withdrawn', by: 'person', queued: command.queued, reason: 'person' })
  }
  if (state.delivered.includes(command.queued)) {
    return refuse(
      'already_delivered',
      `The message ${command.queued} is part of the conversation.`,
      'Send a correction.',
    )
  }
  return refuse(
    'unknown_message',
    `No message ${command.queued} waits.`,
    'List what waits: the run projection has `queue`.',
  )
}
