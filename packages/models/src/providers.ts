// Providers as data: what an entry of `providers` says, and the entries that vendors' own environment variables amount to.

/** One connection: an entry of the setting `providers`, its secrets resolved. */
export interface ProviderEntry {
  /** Wire format. */
  readonly api: 'openai-chat'
  /** What stands before `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Where the key is looked for, for the message that says it is missing: `ACME_API_KEY`. */
  readonly apiKeyFrom?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds. */
  readonly timeouts?: { readonly connect?: number; readonly firstByte?: number; readonly idle?: number }
}

export type Providers = Readonly<Record<string, ProviderEntry>>

/** Id → address and variables, from each vendor's documentation. */
const known: Readonly<Record<string, { readonly baseUrl: string; readonly key: string; readonly address?: string }>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', key: 'MISTRAL_API_KEY' },
  xai: { baseUrl: 'https://api.x.ai/v1', key: 'XAI_API_KEY' },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1', key: 'CEREBRAS_API_KEY' },
}

/** Entries for the known providers of which `env` holds a key or an address. Entries of the settings go on top of them. */
export function providersFromEnv(env: Readonly<Record<string, string | undefined>>): Providers {
  const found = Object.entries(known).flatMap(([id, { baseUrl, key, address }]): [string, ProviderEntry][] => {
    const apiKey = env[key]
    const at = address && env[address]
    if (!apiKey && !at) return []
    return [[id, { api: 'openai-chat', baseUrl: at || baseUrl, apiKeyFrom: key, ...(apiKey && { apiKey }) }]]
  })
  return Object.fromEntries(found)
}

/** The variable that would make a known provider usable. */
export const keyVariable = (provider: string): string | undefined =>
  Object.hasOwn(known, provider) ? known[provider]?.key : undefined
