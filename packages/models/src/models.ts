// The port Models: which model a reference means. Everything behind a name is imported when the name is first used.
import type { Model, ModelRequest, Models } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { connect } from './providers/connect.ts'
import type { Api, ProviderEntry, Providers } from './providers/entry.ts'
import { keyVariable, knownProvider } from './providers/known.ts'
import type { RecordedReply } from './script/replay.ts'
import type { Pace } from './script/reply.ts'
import type { Dialect } from './wire/dialect.ts'

export interface ModelsOptions {
  /** Usable connections by id, secrets resolved; see `providersFromEnv`. */
  readonly providers: Providers
  /** Text of a script file. */
  readFile(path: string): Promise<string>
  /** Replies of a session for `replay:SESSION`, oldest first. */
  loadReplies?(session: string): Promise<readonly RecordedReply[]>
  /** Hash of a request as `model.started.requestHash` has it, to compare replays by. */
  hashOf?(request: ModelRequest): string
  /** How fast `demo` writes. Default: at once. */
  readonly demoPace?: Pace
}

/**
 * Resolves `demo`, `script:FILE`, `replay:SESSION` and `provider/id` (split at the first `/`). One reference gives one
 * model, for as long as these Models live.
 * `resolve` throws TenonError `unknown_model` (what exists, what to set), `no_provider` (which key to set),
 * `bad_setting` (which key of the entry is missing or wrong) and whatever reading the script throws.
 */
export function createModels(options: ModelsOptions): Models {
  const resolved = new Map<string, Promise<Model>>()
  return {
    resolve(reference) {
      const known = resolved.get(reference)
      if (known) return known
      const model = open(reference, options)
      resolved.set(reference, model)
      // A missing file or key may be there next time.
      model.catch(() => resolved.delete(reference))
      return model
    },
  }
}

async function open(reference: string, options: ModelsOptions): Promise<Model> {
  if (reference === 'demo') return (await import('./demo/model.ts')).createDemoModel(options.demoPace)
  const [, scheme, name = ''] = /^(script|replay):(.*)$/s.exec(reference) ?? []
  if (scheme === 'script') return openScript(name, options)
  if (scheme === 'replay') return openReplay(name, options)
  const [, provider = '', model = ''] = /^([^/]+)\/(.+)$/s.exec(reference) ?? []
  const entry = Object.hasOwn(options.providers, provider) ? options.providers[provider] : keyless(provider)
  if (!entry) throw unknown(reference, provider, options.providers)
  return openProvider(entry, { provider, model })
}

async function openScript(file: string, { readFile }: ModelsOptions): Promise<Model> {
  const [{ parseScript }, { createScriptModel }] = await Promise.all([
    import('./script/parse.ts'),
    import('./script/model.ts'),
  ])
  return createScriptModel(await parseScript(await readFile(file), file), { name: file })
}

async function openReplay(session: string, { loadReplies, hashOf }: ModelsOptions): Promise<Model> {
  if (!loadReplies)
    throw new TenonError({
      code: 'unknown_model',
      message: `replay:${session} cannot be used here.`,
      action: 'Replay a session with `tenon session replay`.',
    })
  const [replies, { createReplayModel }] = await Promise.all([loadReplies(session), import('./script/replay.ts')])
  return createReplayModel(replies, hashOf ? { hashOf } : {})
}

async function openProvider(
  entry: ProviderEntry,
  { provider, model }: { provider: string; model: string },
): Promise<Model> {
  const connection = connect(provider, entry)
  const { api, baseUrl, apiKey } = connection
  const { headers, params, auth, timeouts = {} } = entry
  const own = entry.models && Object.hasOwn(entry.models, model) ? entry.models[model] : undefined
  // The catalogue is data that only those pay for who speak to a provider.
  const [{ describeModel }, { createWireModel }, dialect] = await Promise.all([
    import('./catalogue/describe.ts'),
    import('./wire/model.ts'),
    dialects[api](),
  ])
  const facts = describeModel({ provider, id: model, api, baseUrl }, own)
  const limits = Object.fromEntries(Object.entries(timeouts).map(([name, seconds]) => [name, seconds * 1000]))
  const wire = createWireModel(dialect, {
    baseUrl,
    model: facts,
    limits,
    ...(apiKey && { apiKey }),
    ...(auth && { auth }),
    ...(headers && { headers }),
    ...(params && { params }),
  })
  return own?.tools === 'prompt' ? (await import('./emulate/model.ts')).withPromptTools(wire) : wire
}

/** Each wire format is loaded when the first model of it is opened, its SDK package at the first stream. */
const dialects: Readonly<Record<Api, () => Promise<Dialect>>> = {
  'openai-chat': async () => (await import('./chat/dialect.ts')).chatDialect,
  'openai-responses': async () => (await import('./responses/dialect.ts')).responsesDialect,
  anthropic: async () => (await import('./anthropic/dialect.ts')).anthropicDialect,
  google: async () => (await import('./google/dialect.ts')).googleDialect,
}

/** A known server on this machine needs no entry. */
const keyless = (provider: string): ProviderEntry | undefined =>
  knownProvider(provider)?.keys.length === 0 ? {} : undefined

function unknown(reference: string, provider: string, providers: Providers): TenonError {
  const variable = keyVariable(provider)
  if (variable)
    return new TenonError(
      {
        code: 'no_provider',
        message: `The provider ${provider} is not set up: ${variable} is not set.`,
        action: `Set ${variable}, or choose another model with --model.`,
      },
      { provider },
    )
  const ids = Object.keys(providers)
  return new TenonError(
    {
      code: 'unknown_model',
      message: provider
        ? `There is no provider ${JSON.stringify(provider)} for the model ${JSON.stringify(reference)}.`
        : `${JSON.stringify(reference)} is no model: a model is written provider/id.`,
      action: `There are ${[...ids.map((id) => `${id}/…`), 'demo', 'script:FILE'].join(', ')}. Set providers.${provider || 'ID'} with api and baseUrl, or OPENAI_API_KEY for openai/….`,
    },
    { reference, providers: ids },
  )
}
