// The bundled catalogue: what is known of current models. `models.json` is written by scripts/catalogue.mjs.
import type { Price, ReasoningKind } from '../providers/entry.ts'
import snapshot from './models.json' with { type: 'json' }

export interface CatalogueModel {
  /** Tokens of prompt and reply together. */
  readonly context: number
  /** Tokens of one reply at most. */
  readonly output: number
  /** USD per million tokens; absent where none is known. */
  readonly price?: Price
  readonly vision?: boolean
  readonly reasoning: ReasoningKind
  /** Words of effort that it takes, where not all. */
  readonly efforts?: readonly string[]
}

export type Catalogue = Readonly<Record<string, Readonly<Record<string, CatalogueModel>>>>

/** JSON modules lose the literal types: what the generator writes is what CatalogueModel says. */
export const catalogue = snapshot as unknown as Catalogue

/** By provider and id, else by the id without a date or a `:variant`. */
export function findModel(provider: string, id: string, from: Catalogue = catalogue): CatalogueModel | undefined {
  const models = Object.hasOwn(from, provider) ? from[provider] : undefined
  const names = [id, id.replace(/:[\w-]+$/, ''), id.replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')]
  const name = names.find((candidate) => models && Object.hasOwn(models, candidate))
  return name === undefined ? undefined : models?.[name]
}
