// What every stream of the Model port obeys, whatever the provider sent.
import type { ModelPart } from '@tenon/core'

/**
 * What is wrong with the order of `parts`, empty when nothing is: blocks are started once, then have deltas, then end
 * once; a call's whole text is the sum of its deltas; a stream that did not throw has one `finish`, last.
 */
export function streamProblems(parts: readonly ModelPart[], { complete = true } = {}): readonly string[] {
  const problems: string[] = []
  const open = new Map<string, { readonly kind: string; text: string }>()
  const used = new Set<string>()
  for (const part of parts) {
    if (!('id' in part)) continue
    const [kind = '', phase] = part.type.split('.')
    const block = open.get(part.id)
    if (phase === 'start') {
      if (used.has(part.id)) problems.push(`${part.id} is started twice`)
      used.add(part.id)
      open.set(part.id, { kind, text: '' })
    } else if (!block || block.kind !== kind) problems.push(`${part.type} ${part.id} without its start`)
    else if (phase === 'delta') block.text += 'text' in part ? part.text : ''
    else {
      if (part.type === 'call.end' && part.text !== block.text) problems.push(`${part.id} ends with another text`)
      open.delete(part.id)
    }
  }
  const finishes = parts.filter((part) => part.type === 'finish').length
  if (complete && open.size) problems.push(`never ended: ${[...open.keys()].join(', ')}`)
  if (complete && (finishes !== 1 || parts.at(-1)?.type !== 'finish')) problems.push('no single finish at the end')
  return problems
}
