// How much a model takes and gives, and who says so.
import type { ModelEntry } from '../providers/entry.ts'
import type { CatalogueModel } from './catalogue.ts'

/** Who says a number, strongest first. */
type SizeSource = 'session' | 'config' | 'learned' | 'catalogue' | 'guessed'

export interface Size {
  readonly tokens: number
  readonly source: SizeSource
}

/** What a provider's refusal taught: "at most N output", "window is N". */
export interface Sizes {
  readonly context?: number
  readonly output?: number
}

export interface SizeSources {
  readonly session?: Sizes
  readonly config?: ModelEntry
  readonly learned?: Sizes
  readonly catalogue?: CatalogueModel
}

/** Tokens; what the smallest of today's agents' models take. */
export const guessedWindow = 32_768

/** Tokens of prompt and reply together. */
export const windowOf = (sources: SizeSources): Size =>
  pick('context', sources) ?? { tokens: guessedWindow, source: 'guessed' }

/** Tokens of one reply; a quarter of the window where nobody says it. */
export const outputOf = (sources: SizeSources): Size =>
  pick('output', sources) ?? { tokens: Math.floor(windowOf(sources).tokens / 4), source: 'guessed' }

function pick(key: 'context' | 'output', sources: SizeSources): Size | undefined {
  for (const source of ['session', 'config', 'learned', 'catalogue'] as const) {
    const tokens = sources[source]?.[key]
    if (tokens !== undefined) return { tokens, source }
  }
  return undefined
}

/** What an error's words teach about a model; `undefined` when they state no number. */
export function learnSizes(message: string): Sizes | undefined {
  const output =
    /at most ([\d,]+)(?: (?:output|completion))?/i.exec(message)?.[1] ??
    /(?:max_tokens|max_completion_tokens|output tokens)[^.]*?(?:maximum|limit)[^\d]*([\d,]+)/i.exec(message)?.[1] ??
    /max_tokens: \d+ > ([\d,]+)/.exec(message)?.[1]
  const context =
    /(?:maximum context length|context window|window|context size)[^\d]*([\d,]+)/i.exec(message)?.[1] ??
    /> ([\d,]+) maximum/.exec(message)?.[1] ??
    /exceeds the maximum number of tokens allowed \(?([\d,]+)/i.exec(message)?.[1]
  const isOutput = /output|completion tokens|max_(completion_)?tokens/i.test(message) && !/context/i.test(message)
  const tokens = (text: string | undefined) => (text === undefined ? undefined : Number(text.replaceAll(',', '')))
  const learned = isOutput ? tokens(output) : tokens(context)
  if (!learned) return undefined
  return isOutput ? { output: learned } : { context: learned }
}
