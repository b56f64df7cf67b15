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

/** What a provider's key alone means. */
const firstModels: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.2-sol',
  google: 'gemini-pro-latest',
  deepseek: 'deepseek-v4-pro',
  mistral: 'mistral-medium-latest',
  xai: 'grok-4.7',
}

/** Low to high: nothing set is the demo model, a known key, the config file, TENON_MODEL, the flag. */
export async function readSettings(folder: string, env: Environment, flag?: string): Promise<Settings> {
  const config = await readUserConfig(folder)
  const found = providersFromEnv(env)
  const entries = Object.entries(config.providers).map(([id, entry]) => [id, { ...found[id], ...toEntry(entry, env) }])
  const providers: Providers = { ...found, ...Object.fromEntries(entries) }
  const [known] = Object.keys(found).flatMap((id) => (firstModels[id] ? [`${id}/${firstModels[id]}`] : []))
  const model = flag ?? (env.TENON_MODEL || undefined) ?? config.model ?? known ?? 'demo'
  return { model, providers, problems: config.problems }
}

function toEntry({ apiKeyEnv, ...entry }: ProviderSetting, env: Environment): ProviderEntry {
  const names = apiKeyEnv === undefined ? [] : [apiKeyEnv].flat()
  const found = names.find((name) => env[name])
  const apiKey = found && env[found]
  const [first] = names
  return {
    ...definedOf(entry),
    ...(apiKey && { apiKey }),
    ...(first && { apiKeyFrom: found ?? first }),
  }
}

/** Without the fields that are not set, deeply: the entry's types know no `undefined`, and JSON has none. */
const definedOf = (entry: Omit<ProviderSetting, 'apiKeyEnv'>): ProviderEntry => JSON.parse(JSON.stringify(entry))
