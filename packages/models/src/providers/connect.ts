// From an entry of `providers` to a connection that can be used: what is left out comes from the known providers, the
// address is mended, what is missing is named.
import { TenonError } from '@tenon/protocol'
import { isLoopback, toBaseUrl } from '../wire/base-url.ts'
import { type Api, apis, type ProviderEntry } from './entry.ts'
import { keyVariable, knownProvider } from './known.ts'

export interface Connection {
  readonly api: Api
  readonly baseUrl: string
  readonly apiKey?: string
  /** What was mended, in words; empty when nothing was. */
  readonly notices: readonly string[]
}

/** @throws TenonError `bad_setting` (the missing or wrong key of the entry), `no_provider` (which key to set) */
export function connect(provider: string, entry: ProviderEntry): Connection {
  const known = knownProvider(provider)
  const api = entry.api ?? known?.api
  if (api === undefined) throw missing(provider, 'api', `one of ${apis.join(', ')}`)
  if (!apis.includes(api)) throw badApi(provider, api)
  const given = entry.baseUrl ?? known?.baseUrl
  if (given === undefined) throw missing(provider, 'baseUrl', 'an address such as "http://127.0.0.1:8080/v1"')
  const { url: baseUrl, mended } = toBaseUrl(given, api)
  const { apiKey } = entry
  if (!apiKey && !isKeyless(entry, baseUrl)) throw noKey(provider, entry)
  return {
    api,
    baseUrl,
    notices: mended ? [`providers.${provider}.baseUrl ${given} is read as ${baseUrl}.`] : [],
    ...(apiKey && { apiKey }),
  }
}

const isKeyless = ({ auth, headers = {} }: ProviderEntry, baseUrl: string): boolean =>
  auth === 'none' ||
  isLoopback(baseUrl) ||
  Object.keys(headers).some((name) => /^(authorization|x-api-key|api-key|x-goog-api-key)$/i.test(name))

const missing = (provider: string, key: string, what: string): TenonError =>
  new TenonError(
    {
      code: 'bad_setting',
      message: `providers.${provider}.${key} is missing.`,
      action: `Set providers.${provider}.${key} to ${what}.`,
    },
    { provider, key: `providers.${provider}.${key}` },
  )

const badApi = (provider: string, api: string): TenonError =>
  new TenonError(
    {
      code: 'bad_setting',
      message: `providers.${provider}.api ${JSON.stringify(api)} is no wire format.`,
      action: `Set it to one of ${apis.join(', ')}.`,
    },
    { provider, key: `providers.${provider}.api` },
  )

function noKey(provider: string, { apiKeyFrom }: ProviderEntry): TenonError {
  const from = apiKeyFrom ?? keyVariable(provider)
  return new TenonError(
    {
      code: 'no_provider',
      message: `The provider ${provider} has no key${from ? `: ${from} is not set` : ''}.`,
      action: from ? `Set ${from}, or choose another model with --model.` : `Set providers.${provider}.apiKeyEnv.`,
    },
    { provider },
  )
}
