import type { Usage } from '@tenon/protocol'
import { describe, expect, test } from 'vitest'
import { knownProviders } from '../providers/known.ts'
import { showModel } from '../providers/show.ts'
import { catalogue, findModel } from './catalogue.ts'
import { costOf } from './cost.ts'
import { describeModel } from './describe.ts'
import { learnSizes, outputOf, windowOf } from './window.ts'

const usage = (counts: Partial<Usage>): Usage => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  ...counts,
})

describe('cost', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }

  test('is exact to the nano-dollar; reasoning is part of the output', () => {
    const counts = usage({ input: 1, cacheRead: 109_001, cacheWrite: 7, output: 3, reasoning: 2 })
    // 1 × 3,000 + 109,001 × 300 + 7 × 3,750 + 3 × 15,000
    expect(costOf(counts, { catalogue: price })).toEqual({
      nanoUsd: 3000 + 32_700_300 + 26_250 + 45_000,
      source: 'catalogue',
    })
  })

  test('109k cache writes are priced (U03)', () => {
    expect(costOf(usage({ cacheWrite: 109_000 }), { catalogue: price }).nanoUsd).toBe(408_750_000)
  })

  test('a tier holds for the whole reply, by the size of its prompt', () => {
    const tiered = { ...price, tiers: [{ above: 200_000, input: 6, output: 22.5 }] }
    expect(costOf(usage({ input: 200_000 }), { catalogue: tiered }).nanoUsd).toBe(600_000_000)
    expect(costOf(usage({ input: 100_000, cacheRead: 100_001, output: 1 }), { catalogue: tiered }).nanoUsd).toBe(
      200_001 * 6000 + 22_500,
    )
  })

  test('settings stand before the catalogue, a plan before both; no price is null', () => {
    expect(costOf(usage({ input: 1 }), { config: { input: 1, output: 1 }, catalogue: price })).toEqual({
      nanoUsd: 1000,
      source: 'config',
    })
    expect(costOf(usage({ input: 1 }), { plan: true, catalogue: price })).toEqual({ nanoUsd: 0, source: 'plan' })
    expect(costOf(usage({ input: 1 }), {})).toEqual({ nanoUsd: null, source: 'unknown' })
  })

  test('fractions are rounded once, on the sum, and large counts stay whole', () => {
    expect(costOf(usage({ input: 3, output: 3 }), { catalogue: { input: 0.0001, output: 0.0004 } }).nanoUsd).toBe(2)
    expect(costOf(usage({ input: 1e12 }), { catalogue: { input: 0.000001, output: 0 } }).nanoUsd).toBe(1e9)
  })
})

test('window and cap: session, settings, learned, catalogue, a guess, each with its source', () => {
  const known = { context: 200_000, output: 64_000, reasoning: 'none' as const }
  expect(windowOf({})).toEqual({ tokens: 32_768, source: 'guessed' })
  expect(outputOf({})).toEqual({ tokens: 8192, source: 'guessed' })
  expect(windowOf({ catalogue: known })).toEqual({ tokens: 200_000, source: 'catalogue' })
  expect(outputOf({ catalogue: known, learned: { output: 4096 } })).toEqual({ tokens: 4096, source: 'learned' })
  expect(windowOf({ catalogue: known, learned: { context: 1 }, config: { context: 1_000_000 } })).toEqual({
    tokens: 1_000_000,
    source: 'config',
  })
  expect(windowOf({ session: { context: 5 }, config: { context: 6 } })).toEqual({ tokens: 5, source: 'session' })
})

test.each([
  ['max_tokens is too large: 64000. This model supports at most 4096 completion tokens.', { output: 4096 }],
  ['max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens', { output: 8192 }],
  [
    "This model's maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.",
    { context: 32_768 },
  ],
  ['prompt is too long: 209000 tokens > 200000 maximum', { context: 200_000 }],
  ['The input token count (1300000) exceeds the maximum number of tokens allowed (1048576).', { context: 1_048_576 }],
  ['Something else', undefined],
])('%s', (message, expected) => {
  expect(learnSizes(message)).toEqual(expected)
})

test('the catalogue: at most 150 models of known providers, each with sizes', () => {
  const models = Object.entries(catalogue).flatMap(([provider, entries]) =>
    Object.entries(entries).map(([id, model]) => ({ provider, id, model })),
  )
  expect(models.length).toBeLessThanOrEqual(150)
  for (const { provider, id, model } of models) {
    expect(Object.keys(knownProviders)).toContain(provider)
    expect([id, model.context > 1000, model.output > 0, model.output <= model.context]).toEqual([id, true, true, true])
    expect(
      Object.keys(model).every((key) => ['context', 'output', 'price', 'vision', 'reasoning', 'efforts'].includes(key)),
    ).toBe(true)
  }
})

test('dates and variants are the model that they name', () => {
  expect(findModel('openrouter', 'openai/gpt-oss-120b:free')).toBe(findModel('openrouter', 'openai/gpt-oss-120b'))
  expect(findModel('anthropic', 'claude-opus-4-8-20260101')).toBe(findModel('anthropic', 'claude-opus-4-8'))
  expect(findModel('nobody', 'x')).toBeUndefined()
  expect(findModel('__proto__', 'toString')).toBeUndefined()
})

test('what an adapter knows: settings, catalogue, what is safe to assume', () => {
  const at = { provider: 'acme', id: 'large', api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1' } as const
  expect(describeModel(at)).toEqual({
    provider: 'acme',
    id: 'large',
    family: '',
    prices: {},
    vision: true,
    reasoning: 'none',
    parallelTools: true,
    cache: 'none',
    quirks: {},
  })
  expect(
    describeModel(at, { context: 128_000, output: 16_000, name: 'acme-large-v2', vision: false, family: 'acme' }),
  ).toMatchObject({
    id: 'acme-large-v2',
    window: 128_000,
    output: 16_000,
    vision: false,
    family: 'acme',
  })
  expect(describeModel({ ...at, provider: 'anthropic', id: 'claude-opus-4-8', api: 'anthropic' })).toMatchObject({
    family: 'claude',
    reasoning: 'adaptive',
    cache: 'markers',
    vision: true,
  })
})

test('a card says where each number comes from', async () => {
  const entry = {
    api: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1/v1',
    models: { large: { context: 128_000 } },
  } as const
  expect(await showModel('acme/large', { acme: entry })).toMatchObject({
    window: { tokens: 128_000, source: 'config' },
    output: { tokens: 32_000, source: 'guessed' },
  })
  expect(await showModel('acme/unlisted', { acme: entry })).toMatchObject({ window: { source: 'guessed' } })
  expect(await showModel('anthropic/claude-opus-4-8', { anthropic: { apiKey: 'k' } })).toMatchObject({
    window: { source: 'catalogue' },
    facts: { prices: { catalogue: { cacheWrite: expect.any(Number) } } },
  })
  await expect(showModel('nope/x', {})).rejects.toMatchObject({ code: 'unknown_model' })
})
