// Law N: request n is a prefix of request n + 1 unless a move or a new context lies between.
import type { ModelRequest } from '@tenon/core'
import { canonicalJson, type Event } from '@tenon/protocol'

/** Takes each request with the events stored before it; says what breaks the law. */
export function createPrefixLaw(problems: string[]): (request: ModelRequest, events: readonly Event[]) => void {
  let before: { readonly parts: readonly string[]; readonly events: number } | undefined
  return (request, events) => {
    const parts = flatten(request)
    const between = before ? events.slice(before.events) : []
    const broken = between.some(({ type }) => type === 'head.moved' || type === 'context.set')
    const kept = before?.parts.every((part, i) => parts[i] === part) ?? true
    if (!kept && !broken) problems.push(`request ${events.length} does not begin with the one before it`)
    before = { parts, events: events.length }
  }
}

/** One line a part: a message that grew by a part still begins with what it was. */
const flatten = ({ system, messages }: ModelRequest): string[] => [
  canonicalJson(system),
  ...messages.flatMap((message) => {
    const parts: readonly unknown[] = message.role === 'tool' ? message.results : message.parts
    return parts.map((part) => `${message.role} ${canonicalJson(part)}`)
  }),
]
