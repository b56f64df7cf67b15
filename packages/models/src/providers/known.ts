// Providers that need nothing but a key: address, wire format and variables of each, from its own documentation.
import type { Api, ProviderEntry, Providers } from './entry.ts'

interface Known {
  readonly api: Api
  readonly baseUrl: string
  /** Variables that hold the key; the first is named when none is set. None: a server on this machine. */
  readonly keys: readonly string[]
  /** Variable that holds another address. */
  readonly address?: string
}

export const knownProviders: Readonly<Record<string, Known>> = {
  openai: {
    api: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    address: 'OPENAI_BASE_URL',
  },
  anthropic: {
    api: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keys: ['ANTHROPIC_API_KEY'],
    address: 'ANTHROPIC_BASE_URL',
  },
  google: {
    api: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
  },
  openrouter: chat('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  deepseek: chat('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  groq: chat('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: chat('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  xai: chat('https://api.x.ai/v1', 'XAI_API_KEY'),
  cerebras: chat('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  moonshot: chat('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  minimax: chat('https://api.minimax.io/v1', 'MINIMAX_API_KEY'),
  zai: chat('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY'),
  together: chat('https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  fireworks: chat('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  deepinfra: chat('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  ollama: { ...chat('http://127.0.0.1:11434/v1'), address: 'OLLAMA_BASE_URL' },
  lmstudio: chat('http://127.0.0.1:1234/v1'),
  llamacpp: chat('http://127.0.0.1:8080/v1'),
  vllm: chat('http://127.0.0.1:8000/v1'),
}

function chat(baseUrl: string, ...keys: readonly string[]): Known {
  return { api: 'openai-chat', baseUrl, keys }
}

export const knownProvider = (id: string): Known | undefined =>
  Object.hasOwn(knownProviders, id) ? knownProviders[id] : undefined

type Environment = Readonly<Record<string, string | undefined>>

/** Entries for the known providers of which `env` holds a key or an address. Entries of the settings go on top of them. */
export function providersFromEnv(env: Environment): Providers {
  const found = Object.entries(knownProviders).flatMap(
    ([id, { api, baseUrl, keys, address }]): [string, ProviderEntry][] => {
      const from = keys.find((name) => env[name])
      const apiKey = from && env[from]
      const at = address && env[address]
      if (!apiKey && !at) return []
      const [first] = keys
      const named = from ?? first
      // What stands behind another address in OpenAI's name speaks chat; few of them speak responses.
      const spoken = id === 'openai' && at && !/\.openai\.com(\/|$)/.test(at) ? 'openai-chat' : api
      return [
        [id, { api: spoken, baseUrl: at || baseUrl, ...(named && { apiKeyFrom: named }), ...(apiKey && { apiKey }) }],
      ]
    },
  )
  return Object.fromEntries(found)
}

/** The variable that would make a known provider usable. */
export const keyVariable = (provider: string): string | undefined => knownProvider(provider)?.keys[0]
