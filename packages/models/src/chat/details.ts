// `reasoning_details` of OpenRouter: structured reasoning, partly signed or encrypted, that has to come back as it was.
// Facts: https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
import type { JsonObject } from '@tenon/protocol'
import { listOf, objectOf, textOf } from '../wire/json.ts'
import type { Piece } from '../wire/reader.ts'

export interface DetailsTracker {
  /** Readable text of a delta's details; empty when it has none. */
  take(delta: JsonObject): string
  /** The seal of the reasoning so far, once. */
  seal(): readonly Piece[]
}

/** Pieces of one block share type and index: their texts are joined, other fields come once. */
export function createDetails(): DetailsTracker {
  let blocks: JsonObject[] = []
  return {
    take(delta) {
      const details = listOf(delta.reasoning_details).map(objectOf)
      for (const detail of details) blocks = merged(blocks, detail)
      return details.map(({ text, summary }) => textOf(text) || textOf(summary)).join('')
    },
    seal() {
      const sealed = blocks
      blocks = []
      return sealed.length ? [{ type: 'seal', meta: { reasoning_details: sealed } }] : []
    },
  }
}

const joined = ['text', 'summary', 'data'] as const

function merged(blocks: readonly JsonObject[], detail: JsonObject): JsonObject[] {
  const last = blocks.at(-1)
  if (!last || last.type !== detail.type || last.index !== detail.index) return [...blocks, detail]
  const texts = joined.flatMap((key) =>
    last[key] === undefined && detail[key] === undefined
      ? []
      : [[key, textOf(last[key]) + textOf(detail[key])] as const],
  )
  const given = Object.entries(detail).filter(([, value]) => value !== null)
  return [...blocks.slice(0, -1), { ...last, ...Object.fromEntries(given), ...Object.fromEntries(texts) }]
}
