// What is set outside a session: the model and the providers, from flags, environment and the user's config file.
import { type ProviderSetting, readUserConfig } from '@tenon/host'
import { type ProviderEntry, type Providers, providersFromEnv } from '@tenon/models'

type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly model: string
  readonly providers: Providers
  /** What of the config file was left out, each with its place. */
  readonly problems: readonly string[]
}

/** What a known provider's key alone means, until a catalogue says it. */
const firstModels: Readonly<Record<string, string>> = {
  openai: 'gpt-5',
  deepseek: 'deepseek-chat',
  mistral: 'mistral-medium-latest',
  xai: 'grok-4',
}

/** Low to high: nothing set is the demo model, a known key, the config file, TENON_MODEL, the flag. */
export async function readSettings(folder: string, env: Environment, flag?: string): Promise<Settings> {
  const config = await readUserConfig(folder)
  const entries = Object.entries(config.providers).map(([id, entry]) => [id, toEntry(entry, env)] as const)
  const providers = { ...providersFromEnv(env), ...Object.fromEntries(entries) }
  const [known] = Object.keys(providersFromEnv(env)).flatMap((id) =>
    firstModels[id] ? [`${id}/${firstModels[id]}`] : [],
  )
  const model = flag ?? (env.TENON_MODEL || undefined) ?? config.model ?? known ?? 'demo'
  return { model, providers, problems: config.problems }
}

function toEntry({ apiKeyEnv, ...entry }: ProviderSetting, env: Environment): ProviderEntry {
  const names = apiKeyEnv === undefined ? [] : [apiKeyEnv].flat()
  const found = names.find((name) => env[name])
  const apiKey = found && env[found]
  const [first] = names
  const { headers, timeouts, api, baseUrl } = entry
  return {
    api,
    baseUrl,
    ...(headers && { headers }),
    ...(timeouts && { timeouts: definedOf(timeouts) }),
    ...(apiKey && { apiKey }),
    ...(first && { apiKeyFrom: found ?? first }),
  }
}

/** Without the fields that are not set, as the stricter type of the entry wants it. */
const definedOf = (timeouts: NonNullable<ProviderSetting['timeouts']>): NonNullable<ProviderEntry['timeouts']> =>
  Object.fromEntries(Object.entries(timeouts).filter(([, value]) => value !== undefined))
