// The quirk table: which server and model differs from its wire format, and how. Facts from each vendor's documentation.
// The first row that says something about a quirk wins; rows of the settings stand before all of these.
import type { Quirks } from './quirks.ts'

interface QuirkRow {
  /** Id under `providers`. */
  readonly provider?: string
  readonly url?: RegExp
  readonly model?: RegExp
  readonly quirks: Quirks
}

/** OpenAI's thinkers: https://platform.openai.com/docs/guides/reasoning */
const openAiThinker = /^(o[1-9]|gpt-5|gpt-6|codex)(?!.*-chat)/

const quirkRows: readonly QuirkRow[] = [
  {
    provider: 'openai',
    model: openAiThinker,
    quirks: { completionTokens: true, noSampling: true, developerRole: true, cacheKey: true },
  },
  {
    url: /(^|\.)openai\.com|\.azure\.com/,
    model: openAiThinker,
    quirks: { completionTokens: true, noSampling: true, developerRole: true, cacheKey: true },
  },
  { provider: 'openai', quirks: { completionTokens: true, cacheKey: true, reasoningField: 'none' } },
  { url: /(^|\.)openai\.com/, quirks: { completionTokens: true, cacheKey: true, reasoningField: 'none' } },
  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  { provider: 'openrouter', quirks: { effortField: 'reasoning', reasoningField: 'reasoning' } },
  { url: /openrouter\.ai/, quirks: { effortField: 'reasoning', reasoningField: 'reasoning' } },
  // https://api-docs.deepseek.com/guides/thinking_mode: calls need the reasoning that led to them.
  { provider: 'deepseek', quirks: { reasoningField: 'reasoning_content', effortField: 'thinking' } },
  { url: /deepseek\.com/, quirks: { reasoningField: 'reasoning_content', effortField: 'thinking' } },
  // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
  { url: /moonshot\.(ai|cn)|kimi\.com/, quirks: { reasoningField: 'reasoning_content', effortField: 'thinking' } },
  // https://platform.minimax.io/docs: the thoughts stand in the text and have to come back in it.
  { url: /minimax/, quirks: { thinkTags: true, reasoningField: 'think', effortField: 'none' } },
  // https://docs.z.ai/guides/capabilities/thinking-mode
  { url: /(^|\.)z\.ai|bigmodel\.cn/, quirks: { reasoningField: 'reasoning_content', effortField: 'thinking' } },
  { url: /dashscope/, quirks: { reasoningField: 'reasoning_content', effortField: 'enable_thinking' } },
  // https://console.groq.com/docs/reasoning
  { url: /groq\.com/, quirks: { reasoningField: 'reasoning', efforts: ['none', 'low', 'medium', 'high'] } },
  { url: /cerebras\.ai/, quirks: { reasoningField: 'reasoning', efforts: ['low', 'medium', 'high'] } },
  // https://docs.mistral.ai/api: ids of nine letters or digits, no usage option, no reasoning in the history.
  { provider: 'mistral', quirks: { shortIds: true, reasoningField: 'none', effortField: 'none' } },
  { url: /mistral\.ai/, quirks: { shortIds: true, reasoningField: 'none', effortField: 'none' } },
  { url: /(^|\.)x\.ai/, quirks: { reasoningField: 'reasoning_content', noStop: true, efforts: ['low', 'high'] } },
  // Local servers: templates write thoughts into the text; an effort is rarely understood.
  { provider: 'ollama', quirks: { thinkTags: true, reasoningField: 'reasoning' } },
  { url: /:11434/, quirks: { thinkTags: true, reasoningField: 'reasoning' } },
  { provider: 'lmstudio', quirks: { thinkTags: true, effortField: 'none' } },
  { url: /:1234/, quirks: { thinkTags: true, effortField: 'none' } },
  { provider: 'llamacpp', quirks: { thinkTags: true, effortField: 'none', plainSchema: true } },
  { provider: 'vllm', quirks: { thinkTags: true, reasoningField: 'reasoning' } },
  // Models behind whichever server.
  { model: /minimax-m/i, quirks: { thinkTags: true, reasoningField: 'think' } },
  { model: /deepseek|kimi|glm-/i, quirks: { thinkTags: true, reasoningField: 'reasoning_content' } },
  { model: /qwq|qwen3|-r1\b/i, quirks: { thinkTags: true } },
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  { model: /gemini-[3-9]/, quirks: { signedCalls: true } },
  { model: /gemini/, quirks: { plainSchema: true } },
]

/** What holds for a model: `own` (of the settings) first, then each matching row in order. */
export function quirksOf(
  { provider, url, model }: { provider: string; url: string; model: string },
  own: Quirks = {},
): Quirks {
  const host = url.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
  const rows = quirkRows.filter(
    (row) =>
      (row.provider === undefined || row.provider === provider) &&
      (row.url === undefined || row.url.test(host)) &&
      (row.model === undefined || row.model.test(model)),
  )
  return Object.assign({}, ...rows.toReversed().map((row) => row.quirks), own)
}
