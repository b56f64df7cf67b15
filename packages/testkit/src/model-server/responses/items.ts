// Shape of an OpenAI Responses request: its input is a flat list of items, of which a reply is a run.
import type { Json, JsonObject } from '@tenon/protocol'
import { isObject, listOf } from '../wire/json.ts'

export const itemsOf = (body: JsonObject): readonly JsonObject[] =>
  typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listOf(body.input).filter(isObject)

const isOfReply = (item: JsonObject): boolean =>
  item.type === 'reasoning' || item.type === 'function_call' || item.role === 'assistant'

export interface Run {
  readonly kind: 'reply' | 'results' | 'other'
  readonly items: readonly JsonObject[]
  /** Place of the first item. */
  readonly from: number
}

/** Adjacent items of one kind; messages of the person stand alone. */
export function runsOf(items: readonly JsonObject[]): readonly Run[] {
  const runs: Run[] = []
  for (const [from, item] of items.entries()) {
    const kind = isOfReply(item) ? 'reply' : item.type === 'function_call_output' ? 'results' : 'other'
    const last = runs.at(-1)
    if (last?.kind === kind && kind !== 'other') runs[runs.length - 1] = { ...last, items: [...last.items, item] }
    else runs.push({ kind, items: [item], from })
  }
  return runs
}

export function itemText({ content, output }: JsonObject): string {
  const value: Json = content ?? output ?? ''
  if (typeof value === 'string') return value
  return listOf(value)
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('\n')
}
