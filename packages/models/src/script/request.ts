// Facts that a request shows: which turn it asks for, and what its newest message says.
import type { ModelMessage, ModelRequest } from '@tenon/core'

/** Place of the reply that `request` asks for: the number of replies it already holds. */
export const turnOf = (request: ModelRequest): number =>
  request.messages.filter((message) => message.role === 'assistant').length

/** Everything readable in a message: its text, or the texts and errors of its results. */
export function textOf(message: ModelMessage | undefined): string {
  if (!message) return ''
  const parts = message.role === 'tool' ? message.results.flatMap((result) => result.content) : message.parts
  return parts
    .map((part) =>
      part.type === 'text' || part.type === 'reasoning' ? part.text : 'message' in part ? part.message : '',
    )
    .join('\n')
}
