import { TenonError } from '@tenon/protocol'
import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import type { Api } from './entry.ts'
import { knownProviders, providersFromEnv } from './known.ts'

test.each<[Api, string, string]>([
  ['openai-chat', 'http://a.example', 'http://a.example/v1'],
  ['anthropic', 'http://a.example/', 'http://a.example/v1'],
  ['google', 'http://a.example', 'http://a.example/v1beta'],
  ['openai-chat', 'http://a.example/api/v1/', 'http://a.example/api/v1'],
  ['openai-chat', 'http://a.example/v1/chat/completions', 'http://a.example/v1'],
  ['openai-responses', 'http://a.example/v1/responses/', 'http://a.example/v1'],
  ['anthropic', 'http://a.example/anthropic/v1/messages?beta=true', 'http://a.example/anthropic/v1'],
  ['google', 'http://a.example/v1beta/models/gemini-3:streamGenerateContent?alt=sse', 'http://a.example/v1beta'],
  ['google', 'http://a.example/v1beta/models', 'http://a.example/v1beta'],
])('%s %s is read as %s, and said', (api, baseUrl, expected) => {
  expect(connect('acme', { api, baseUrl, apiKey: 'k' })).toEqual({
    api,
    baseUrl: expected,
    apiKey: 'k',
    notices: [`providers.acme.baseUrl ${baseUrl} is read as ${expected}.`],
  })
})

test('what needs no mending is not spoken of', () => {
  for (const [id, { baseUrl, api }] of Object.entries(knownProviders))
    expect(connect(id, { apiKey: 'k' })).toEqual({ api, baseUrl, apiKey: 'k', notices: [] })
})

test('no key for a server on this machine, for auth none and for a header of one’s own', () => {
  const far = { api: 'openai-chat', baseUrl: 'https://a.example/v1' } as const
  expect(connect('ollama', {})).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1' })
  expect(connect('acme', { ...far, auth: 'none' })).not.toHaveProperty('apiKey')
  expect(connect('acme', { ...far, headers: { 'X-Goog-Api-Key': 'k' } })).not.toHaveProperty('apiKey')
  expect(() => connect('acme', far)).toThrow(TenonError)
})

test.each([
  [{}, 'providers.acme.api'],
  [{ api: 'anthropic' as const }, 'providers.acme.baseUrl'],
  [{ api: 'smoke-signals' as Api, baseUrl: 'http://a.example' }, 'providers.acme.api'],
])('%j: bad_setting names %s', (entry, key) => {
  expect(() => connect('acme', entry)).toThrow(
    expect.objectContaining({ code: 'bad_setting', facts: expect.objectContaining({ key }) }),
  )
})

test('OpenAI’s variable with a foreign address means a chat server, with its own the responses', () => {
  const at = (url: string) => providersFromEnv({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }).openai?.api
  expect(at('http://127.0.0.1:8000/v1')).toBe('openai-chat')
  expect(at('https://eu.api.openai.com/v1')).toBe('openai-responses')
})
