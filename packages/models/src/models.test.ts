import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TenonError } from '@tenon/protocol'
import { collect, deltas, modelRequest, startModelServer } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { createModels, type ModelsOptions } from './models.ts'
import { providersFromEnv } from './providers/known.ts'

const never = new AbortController().signal
const models = (options: Partial<ModelsOptions> = {}) =>
  createModels({ providers: {}, readFile: () => Promise.reject(new Error('no file')), ...options })

const say = async (reference: string, options: Partial<ModelsOptions> = {}) => {
  const model = await models(options).resolve(reference)
  return deltas((await collect(model.stream(modelRequest(), never))).parts, 'text.delta')
}

const refusal = async (reference: string, options: Partial<ModelsOptions> = {}) => {
  const error = await models(options)
    .resolve(reference)
    .catch((reason: unknown) => reason)
  return error instanceof TenonError ? `${error.code} ${error.message} ${error.failure.action}` : error
}

describe('createModels', () => {
  test('resolves demo, scripts, recordings and providers', async () => {
    const server = await startModelServer({ script: [{ text: 'from afar' }], apiKey: 'k' })
    const providers = { acme: { api: 'openai-chat', baseUrl: server.url, apiKey: 'k' } } as const
    expect(await say('demo')).toContain('offline demo')
    expect(await say('script:a/b.jsonc', { readFile: async (path) => `{"turns": [{"text": "${path}"}]}` })).toBe(
      'a/b.jsonc',
    )
    const loadReplies = async (session: string) => [
      { parts: [{ type: 'text' as const, text: session }], finish: 'stop' as const, usage: null, requestHash: 'h' },
    ]
    expect(await say('replay:ses_1', { loadReplies })).toBe('ses_1')
    expect(await say('acme/org/model:free', { providers })).toBe('from afar')
    expect(server.requests[0]?.body.model).toBe('org/model:free')
    await server.close()
  })

  test('one reference is one model; a reference that failed is tried again', async () => {
    let reads = 0
    const made = models({
      readFile: async () => {
        if (reads++ === 0) throw new Error('not yet')
        return '{"turns": []}'
      },
    })
    await expect(made.resolve('script:a')).rejects.toThrow('not yet')
    expect(await made.resolve('script:a')).toBe(await made.resolve('script:a'))
    expect(reads).toBe(2)
  })

  test('refusals name what exists and what to set', async () => {
    const providers = {
      acme: { api: 'openai-chat', baseUrl: 'https://acme.example/v1', apiKeyFrom: 'ACME_API_KEY' },
    } as const
    expect(await refusal('gpt', { providers })).toMatch(
      /^unknown_model "gpt" is no model.*provider\/id.*acme\/…, demo, script:FILE/s,
    )
    expect(await refusal('nope/x')).toMatch(/^unknown_model There is no provider "nope".*providers\.nope/s)
    expect(await refusal('__proto__/x')).toMatch(/^unknown_model/)
    expect(await refusal('openai/x')).toMatch(/^no_provider .*OPENAI_API_KEY is not set.*Set OPENAI_API_KEY/s)
    expect(await refusal('acme/x', { providers })).toMatch(/^no_provider .*ACME_API_KEY/s)
    expect(await refusal('bad/x', { providers: { bad: { api: 'openai-chat', baseUrl: 'nonsense' } } })).toMatch(
      /^bad_setting .*nonsense/s,
    )
    expect(await refusal('replay:ses_1')).toMatch(/^unknown_model/)
  })

  test('a server on this machine needs no key', async () => {
    const server = await startModelServer({ script: [{ text: 'hi' }] })
    expect(await say('local/m', { providers: { local: { api: 'openai-chat', baseUrl: server.url } } })).toBe('hi')
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
    await server.close()
  })

  test('vendors’ variables make providers', () => {
    expect(
      providersFromEnv({ OPENAI_API_KEY: 'a', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', GROQ_API_KEY: '' }),
    ).toEqual({
      openai: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'a', apiKeyFrom: 'OPENAI_API_KEY' },
    })
    expect(providersFromEnv({ OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', GOOGLE_API_KEY: 'c' })).toMatchObject({
      openai: { api: 'openai-responses', baseUrl: 'https://api.openai.com/v1' },
      anthropic: { api: 'anthropic', apiKeyFrom: 'ANTHROPIC_API_KEY', apiKey: 'b' },
      google: { api: 'google', apiKeyFrom: 'GOOGLE_API_KEY', apiKey: 'c' },
    })
    expect(providersFromEnv({})).toEqual({})
  })

  test('a known server on this machine needs no entry, a new id names the key that it lacks', async () => {
    expect(await models().resolve('ollama/qwen3')).toBeDefined()
    expect(await refusal('new/x', { providers: { new: { api: 'anthropic' } } })).toMatch(
      /^bad_setting providers\.new\.baseUrl is missing\..*Set providers\.new\.baseUrl/s,
    )
    expect(await refusal('new/x', { providers: { new: { baseUrl: 'http://a.example' } } })).toMatch(
      /^bad_setting providers\.new\.api is missing\..*openai-chat, openai-responses, anthropic, google/s,
    )
  })

  test.each([
    ['openai-chat', 'openai-compatible'],
    ['openai-responses', 'openai'],
    ['anthropic', 'anthropic'],
    ['google', 'google'],
  ] as const)('%s loads its own package alone, at the first stream', (api, name) => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      const { createModels } = await import(${JSON.stringify(import.meta.resolve('./index.ts'))})
      const providers = { acme: { api: ${JSON.stringify(api)}, baseUrl: 'http://127.0.0.1:9/v1' } }
      const models = createModels({ providers, readFile: async () => '' })
      const model = await models.resolve('acme/x')
      const sdk = () => [...new Set(loaded.flatMap((url) => /@ai-sdk\\/([a-z-]+)\\//.exec(url)?.[1] ?? []))]
      const before = sdk()
      const request = { messages: [{ role: 'user', parts: [] }], tools: [], system: { stable: [], volatile: [] }, output: {}, cache: { key: 'k' } }
      await model.stream(request, new AbortController().signal).next().catch(() => 0)
      console.log(JSON.stringify([before, sdk().filter((id) => !id.startsWith('provider'))]))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    })
    expect(JSON.parse(stdout)).toEqual([[], [name]])
  })
})
