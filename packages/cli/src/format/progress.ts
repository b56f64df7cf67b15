// What happens, a line each for a person: `--verbose` on standard error, and the demo. Pure.
import type { Event, EventOf, Json } from '@tenon/protocol'

const widest = 100

/** Lines for one event; none for what a person need not see. */
export function progressLines(event: Event): readonly string[] {
  switch (event.type) {
    case 'message.added':
      if (event.role === 'user') return []
      return event.parts.flatMap((part) => {
        if (part.type === 'call') return [`→ ${part.name} ${summarise(part.input)}`]
        return part.type === 'text' && (event.role === 'harness' || event.finish === 'calls') ? [clip(part.text)] : []
      })
    case 'tool.finished':
      return [
        `${event.status === 'ok' ? '✓' : '✗'} ${event.ref.tool} ${event.status} in ${event.ms} ms${exitOf(event)}`,
      ]
    case 'model.failed':
      return [`model failed: ${event.failure.class ?? event.failure.code}: ${clip(event.failure.message)}`]
    case 'file.changed':
      return [`  ${event.operation} ${event.path} +${event.added} −${event.removed}`]
    default:
      return []
  }
}

const exitOf = ({ exit }: EventOf<'tool.finished'>): string => (exit ? `, exit ${exit}` : '')

/** The one value that says most of an input, else its JSON. */
export function summarise(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return clip(JSON.stringify(input))
  // As unknown: narrowing the recursive type of JSON by its fields keeps the compiler busy for ever.
  const fields = new Map<string, unknown>(Object.entries(input))
  for (const key of ['command', 'file_path', 'path', 'pattern', 'query', 'url']) {
    const value = fields.get(key)
    if (typeof value === 'string') return clip(value)
  }
  const todos = fields.get('todos')
  if (Array.isArray(todos)) return `${todos.length} items`
  return clip(JSON.stringify(input))
}

const clip = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line
}
