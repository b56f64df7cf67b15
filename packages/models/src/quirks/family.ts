// Lineages of models: reasoning that one wrote is understood by the others of its family, and by nobody else.

const rows: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['claude', /claude/],
  ['gpt', /(^|\/)(gpt|o[1-9](-|$)|chatgpt|codex)/],
  ['gemini', /gemini|gemma/],
  ['grok', /grok/],
  ['deepseek', /deepseek/],
  ['kimi', /kimi|moonshot/],
  ['minimax', /minimax/],
  ['glm', /glm|zai-org/],
  ['qwen', /qwen|qwq/],
  ['mistral', /mistral|magistral|devstral|codestral|ministral/],
  ['llama', /llama/],
]

/** Family of a model id; empty for one that no row knows. */
export const familyOf = (model: string): string =>
  rows.find(([, pattern]) => pattern.test(model.toLowerCase()))?.[0] ?? ''
