// Addresses as people write them, mended to what stands before the endpoint.
import { TenonError } from '@tenon/protocol'

const endpoint = /\/(chat\/completions|completions|responses|messages|models(\/[^/]+:\w+)?)$/

/**
 * A URL without a path gets `/v1` (google `/v1beta`); trailing slashes, a query and a pasted endpoint go.
 * @throws TenonError `bad_setting`
 */
export function toBaseUrl(text: string, api = 'openai-chat'): { readonly url: string; readonly mended: boolean } {
  if (!URL.canParse(text)) throw badUrl(text)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw badUrl(text)
  const path = url.pathname.replace(/\/+$/, '').replace(endpoint, '').replace(/\/+$/, '')
  const mended = `${url.origin}${path || (api === 'google' ? '/v1beta' : '/v1')}`
  return { url: mended, mended: mended !== text }
}

/** Servers on this machine need no key. */
export function isLoopback(text: string): boolean {
  const { hostname } = new URL(text)
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname.endsWith('.localhost') ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}

const badUrl = (text: string) =>
  new TenonError({
    code: 'bad_setting',
    message: `baseUrl ${JSON.stringify(text)} is not an http or https address.`,
    action: 'Write it like "http://127.0.0.1:8080/v1".',
  })
