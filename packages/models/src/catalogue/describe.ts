// Everything an adapter has to know of a model: settings first, then the catalogue, then what is safe to assume.
import type { Api, ModelEntry, ReasoningKind } from '../providers/entry.ts'
import { familyOf } from '../quirks/family.ts'
import { quirksOf } from '../quirks/table.ts'
import type { ModelFacts } from '../wire/facts.ts'
import { type CatalogueModel, findModel } from './catalogue.ts'
import { outputOf, windowOf } from './window.ts'

export interface ModelAddress {
  readonly provider: string
  /** Id in the settings and in the catalogue. */
  readonly id: string
  readonly api: Api
  readonly baseUrl: string
}

/** Unknown models take no effort (some refuse the field) and see images (a refusal is mended, blindness is not). */
export function describeModel({ provider, id, api, baseUrl }: ModelAddress, config: ModelEntry = {}): ModelFacts {
  const known = findModel(provider, id)
  const sources = { config, ...(known && { catalogue: known }) }
  const [window, output] = [windowOf(sources), outputOf(sources)]
  const name = config.name ?? id
  const family = config.family ?? familyOf(id)
  return {
    provider,
    id: name,
    family,
    ...(window.source !== 'guessed' && { window: window.tokens }),
    ...(output.source !== 'guessed' && { output: output.tokens }),
    prices: { ...(config.price && { config: config.price }), ...(known?.price && { catalogue: known.price }) },
    vision: config.vision ?? (known ? known.vision === true : true),
    reasoning: config.reasoning ?? known?.reasoning ?? guessReasoning(api, id),
    parallelTools: config.parallelTools ?? true,
    cache: config.cache ?? guessCache(api, provider, family),
    quirks: quirksOf({ provider, url: baseUrl, model: id }, { ...effortsOf(known), ...config.quirks }),
  }
}

const effortsOf = (known: CatalogueModel | undefined) => (known?.efforts ? { efforts: known.efforts } : {})

/** By the id, for models that the catalogue does not know. */
function guessReasoning(api: Api, id: string): ReasoningKind {
  if (api === 'anthropic' && /claude-(opus|sonnet|haiku|fable)-([5-9]|4-[6-9])/.test(id)) return 'adaptive'
  if (api === 'anthropic' && /claude-.*(4|3-7)/.test(id)) return 'budget'
  if (api === 'google' && /gemini-[3-9]/.test(id)) return 'effort'
  if (api === 'google' && /gemini-2\.5/.test(id)) return 'budget'
  return /^(gpt-[5-9]|o[1-9])(?!.*chat)/.test(id) ? 'effort' : 'none'
}

function guessCache(api: Api, provider: string, family: string): ModelFacts['cache'] {
  if (api === 'anthropic') return 'markers'
  if (provider === 'openrouter' && family === 'claude') return 'markers'
  return api === 'openai-responses' ? 'key' : 'none'
}
