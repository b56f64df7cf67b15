// Writes src/catalogue/models.json: facts about current models (windows, caps, prices, efforts), ours in form and choice.
// Source of the facts: the MIT-licensed JSON inside the npm package @earendil-works/pi-ai, which is not a dependency.
//   mkdir /tmp/pi && cd /tmp/pi && npm init -y && npm i --ignore-scripts @earendil-works/pi-ai@1.6
//   node packages/models/scripts/catalogue.mjs /tmp/pi/node_modules/@earendil-works/pi-ai/dist/providers/data
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2)
const cap = 150

/** Our provider id → their file, and which of its models are current. */
const sources = {
  anthropic: ['anthropic', /^claude/],
  cerebras: ['cerebras', /./],
  deepseek: ['deepseek', /./],
  google: ['google', /^gemini-(2\.5-(pro|flash|flash-lite)|[3-9].*|flash-latest|pro-latest)$/],
  groq: ['groq', /./],
  minimax: ['minimax', /./],
  mistral: ['mistral', /^(codestral|devstral|magistral|mistral|ministral)-.*(latest|medium-3\.5|large-4)$/],
  moonshot: ['moonshotai', /./],
  openai: ['openai', /^(gpt-4\.1|gpt-4o$|gpt-5|gpt-6|o3$|o4)(?!.*(cyber|daybreak|chat|-pro|20\d\d))/],
  openrouter: [
    'openrouter',
    /^(anthropic\/claude-(opus|sonnet|haiku|fable)-(4\.[68]|5(\.5)?|5\.2)|openai\/gpt-(5\.5|6\.[12]-\w+|oss-120b)|google\/gemini-(2\.5-pro|3\.[18]-(pro|flash)(-preview)?|4-\w+)|deepseek\/deepseek-v4-\w+|moonshotai\/kimi-k(2\.[67]|3|3\.1-pro)|z-ai\/glm-5\.\d|minimax\/minimax-m3(\.\d)?|x-ai\/grok-4\.[67]|qwen\/qwen3\.?\d*-(max|coder|plus))$/,
  ],
  xai: ['xai', /./],
  zai: ['zai', /./],
}

const rounded = (number) => Math.round(number * 1e6) / 1e6
const priceOf = ({ input, output, cacheRead, cacheWrite }) => ({
  input: rounded(input),
  output: rounded(output),
  // Where nothing is said, cached tokens cost what others do.
  ...(cacheRead ? { cacheRead: rounded(cacheRead) } : {}),
  ...(cacheWrite ? { cacheWrite: rounded(cacheWrite) } : {}),
})

const words = {
  off: 'none',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
}

function reasoningOf(provider, model) {
  if (!model.reasoning) return 'none'
  if (provider === 'anthropic') {
    const [major, minor] = (/-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(model.id) ?? [])
      .slice(1)
      .map((text) => Number(text ?? 0))
    return model.compat?.forceAdaptiveThinking || major > 4 || (major === 4 && minor >= 6) ? 'adaptive' : 'budget'
  }
  if (provider === 'google') return /gemini-2\.5/.test(model.id) ? 'budget' : 'effort'
  return 'effort'
}

function factsOf(provider, model) {
  const efforts = Object.entries(model.thinkingLevelMap ?? {}).flatMap(([level, word]) =>
    typeof word === 'string' && word === words[level] ? [word] : [],
  )
  const tiers = (model.cost.tiers ?? []).map(({ inputTokensAbove, ...tier }) => ({
    above: inputTokensAbove,
    ...priceOf(tier),
  }))
  const free = model.cost.input === 0 && model.cost.output === 0
  return {
    context: model.contextWindow,
    output: model.maxTokens,
    ...(free ? {} : { price: { ...priceOf(model.cost), ...(tiers.length ? { tiers } : {}) } }),
    ...(model.input.includes('image') ? { vision: true } : {}),
    reasoning: reasoningOf(provider, model),
    ...(model.reasoning && efforts.length && provider === 'openai' ? { efforts } : {}),
  }
}

const catalogue = {}
for (const [provider, [file, wanted]] of Object.entries(sources).sort()) {
  const groups = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8'))
  const models = Object.values(groups).flatMap((group) => Object.values(group))
  const chosen = models.filter((model) => model.type === 'chat' && wanted.test(model.id))
  const entries = chosen.map((model) => [model.id, factsOf(provider, model)])
  catalogue[provider] = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
const count = Object.values(catalogue).reduce((sum, models) => sum + Object.keys(models).length, 0)
if (count > cap) throw new Error(`${count} models: more than ${cap}`)
const target = fileURLToPath(new URL('../src/catalogue/models.json', import.meta.url))
// One model a line, so that a change is read as one.
const lines = Object.entries(catalogue).map(
  ([provider, models]) =>
    `  ${JSON.stringify(provider)}: {\n${Object.entries(models)
      .map(([id, facts]) => `    ${JSON.stringify(id)}: ${JSON.stringify(facts)}`)
      .join(',\n')}\n  }`,
)
writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
console.log(
  `${count} models`,
  Object.fromEntries(Object.entries(catalogue).map(([id, models]) => [id, Object.keys(models).length])),
)
