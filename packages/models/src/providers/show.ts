// What is known of one model and who says it: for `models show` and for whoever has to know a window before a request.
import { TenonError } from '@tenon/protocol'
import type { Size } from '../catalogue/window.ts'
import type { ModelFacts } from '../wire/facts.ts'
import { type Connection, connect } from './connect.ts'
import type { Providers } from './entry.ts'

export interface ModelCard {
  readonly connection: Connection
  readonly facts: ModelFacts
  /** Tokens of prompt and reply together. */
  readonly window: Size
  /** Tokens of one reply. */
  readonly output: Size
}

/**
 * @param reference `provider/id`, split at the first `/`
 * @throws TenonError `unknown_model` for a provider without an entry, else what `connect` throws
 */
export async function showModel(reference: string, providers: Providers): Promise<ModelCard> {
  const [, provider = '', id = ''] = /^([^/]+)\/(.+)$/s.exec(reference) ?? []
  const entry = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (!entry)
    throw new TenonError({
      code: 'unknown_model',
      message: `There is no provider for the model ${JSON.stringify(reference)}.`,
      action: `Set providers.${provider || 'ID'}, or name one of ${Object.keys(providers).join(', ') || 'the known providers'}.`,
    })
  const connection = connect(provider, entry)
  const own = entry.models && Object.hasOwn(entry.models, id) ? entry.models[id] : undefined
  const [{ describeModel }, { findModel }, { outputOf, windowOf }] = await Promise.all([
    import('../catalogue/describe.ts'),
    import('../catalogue/catalogue.ts'),
    import('../catalogue/window.ts'),
  ])
  const known = findModel(provider, id)
  const sources = { ...(own && { config: own }), ...(known && { catalogue: known }) }
  return {
    connection,
    facts: describeModel({ provider, id, api: connection.api, baseUrl: connection.baseUrl }, own),
    window: windowOf(sources),
    output: outputOf(sources),
  }
}
