// The log as a readable conversation: what was said, called, answered, and how runs ended. Pure.
import { resultText } from '@tenon/core'
import type { Event, EventOf } from '@tenon/protocol'
import { summarise } from '../format/progress.ts'
import { textOf } from '../format/report.ts'

const shownLines = 20

/** Lines for one event; none for what does not belong into a conversation. */
export function transcriptLines(event: Event): readonly string[] {
  switch (event.type) {
    case 'message.added':
      return ['', ...messageLines(event)]
    case 'tool.finished':
      return [
        `  ${event.status === 'ok' ? '✓' : '✗'} ${event.ref.tool} ${event.status}${event.exit === undefined ? '' : `, exit ${event.exit}`}, ${event.ms} ms`,
        ...clip(resultText(event.content)).map((line) => `    ${line}`),
      ]
    case 'tool.judged':
      return event.verdict === 'allow' ? [] : [`  ${event.verdict}: ${event.ref.tool}: ${event.reasons.join('; ')}`]
    case 'ask.opened':
      return [`  asked ${event.id}: ${event.title} (${event.options.map(({ id }) => id).join(', ')})`]
    case 'ask.closed':
      return [
        `  ${event.how}${event.answer ? `: ${[...event.answer.options, event.answer.text ?? ''].join(' ').trim()}` : ''}`,
      ]
    case 'model.failed':
      return [`  model failed (${event.failure.class ?? event.failure.code}): ${event.failure.message}`]
    case 'head.moved':
      return [`— HEAD moved (${event.reason}) to ${event.to ?? 'nothing'}`]
    case 'run.ended':
      return [
        '',
        `— run ${event.outcome}${event.limit ? ` (${event.limit})` : ''}: ${event.turns} turns, ${event.ms} ms${event.failure ? `; ${event.failure.message}` : ''}`,
      ]
    default:
      return []
  }
}

function messageLines(event: EventOf<'message.added'>): readonly string[] {
  const who = { user: '›', harness: '(harness)', assistant: '' }[event.role]
  const text = textOf(event)
  const calls = event.parts.flatMap((part) => (part.type === 'call' ? [`▸ ${part.name} ${summarise(part.input)}`] : []))
  return [...(text ? [`${who} ${text}`.trim()] : []), ...calls]
}

function clip(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.length <= shownLines
    ? lines
    : [...lines.slice(0, shownLines), `… ${lines.length - shownLines} more lines`]
}
