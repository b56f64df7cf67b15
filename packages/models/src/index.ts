// The public door of models. Importing it loads little: everything behind a model's name is imported on first use.
export { costOf, type Prices } from './catalogue/cost.ts'
export {
  guessedWindow,
  learnSizes,
  outputOf,
  type Size,
  type SizeSources,
  type Sizes,
  windowOf,
} from './catalogue/window.ts'
export { createDemoModel } from './demo/model.ts'
export { demoFix, demoMarker, demoProject, demoPrompt } from './demo/project.ts'
export { demoStory, type StoryTurn } from './demo/story.ts'
export { createModels, type ModelsOptions } from './models.ts'
export { type Connection, connect } from './providers/connect.ts'
export {
  type Api,
  type Auth,
  apis,
  type ModelEntry,
  type Price,
  type ProviderEntry,
  type Providers,
  type ReasoningKind,
} from './providers/entry.ts'
export { keyVariable, knownProviders, providersFromEnv } from './providers/known.ts'
export { type ModelCard, showModel } from './providers/show.ts'
export type { Quirks } from './quirks/quirks.ts'
export { createScriptModel } from './script/model.ts'
export { parseScript } from './script/parse.ts'
export type { RecordedReply } from './script/replay.ts'
export type { Pace } from './script/reply.ts'
export type { ScriptTurn, ScriptTurnInput } from './script/schema.ts'
export type { ModelFacts } from './wire/facts.ts'
