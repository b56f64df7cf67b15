// An effort as each kind of chat server takes it.
import type { Effort } from '@tenon/core'
import type { JsonObject } from '@tenon/protocol'
import type { WriteFacts } from '../wire/dialect.ts'

const order: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** What OpenAI's thinkers take; the newest know `max` too, and say so in the catalogue. */
export const usualEfforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

/** The nearest word that is taken, the higher of two. */
export function nearestEffort(effort: Effort, taken: readonly string[]): string {
  const wanted = order.indexOf(effort)
  const distance = (word: string) => Math.abs(order.indexOf(word) - wanted - 0.1)
  return taken.toSorted((a, b) => distance(a) - distance(b))[0] ?? effort
}

/** Fields to add to the body; a model that takes no effort gets none, and the person is told. */
export function effortFields({ request, model, warn }: WriteFacts): JsonObject {
  const effort = request.reasoning?.effort
  if (effort === undefined) return {}
  const { effortField = 'reasoning_effort', efforts = usualEfforts } = model.quirks
  if (model.reasoning === 'none' || effortField === 'none') {
    if (effort !== 'none') warn(`effort: ${model.id} takes none; ${effort} was left out.`)
    return {}
  }
  const word = nearestEffort(effort, efforts)
  const thinks = effort !== 'none'
  switch (effortField) {
    case 'reasoning_effort':
      return { reasoning_effort: word }
    case 'reasoning':
      return { reasoning: thinks ? { effort: word } : { enabled: false } }
    case 'thinking':
      return { thinking: { type: thinks ? 'enabled' : 'disabled' } }
    case 'enable_thinking':
      return { enable_thinking: thinks }
  }
}
