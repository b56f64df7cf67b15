// The public door of core.
export { type Appended, appendGroup, type Stamps } from './append.ts'
export type { BlobSpool, Blobs } from './blobs.ts'
export type { Clock } from './clock.ts'
export { decide } from './decide/decide.ts'
export type { Decision } from './decide/decision.ts'
export type { ClaimOptions, Group, Lease, Log, LogContents, LogNotice, LogOwner } from './log.ts'
export {
  type Effort,
  type Model,
  type ModelBlock,
  ModelFailure,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ModelResult,
  type Models,
  type ModelTool,
} from './model.ts'
export { next } from './next/next.ts'
export { retriesOf, retryAt } from './next/retry.ts'
export type { Answerer, Effect, NextContext, Step } from './next/step.ts'
export { type RepairedJson, repairJson } from './normalise/json.ts'
export { type ResolvedName, resolveName } from './normalise/name.ts'
export { type NormalisedInput, normaliseInput } from './normalise/normalise.ts'
export { toModelSchema } from './normalise/schema.ts'
export { openSession, type SessionPorts } from './owner.ts'
export { toolSchemas } from './perform/gather.ts'
export { type JudgedCall, type Judgement, judge, type PermissionSettings } from './policy/judge.ts'
export type { ContextFacts, ContextSource } from './prompt/context-source.ts'
export { stableBlocks, toBlock } from './prompt/sections.ts'
export { recover } from './recover.ts'
export { buildRequest, type RequestFacts, rebuiltHash, resultText } from './request.ts'
export type { Sender, Session } from './session.ts'
export {
  type Annotations,
  type AskTool,
  defineTool,
  type EmitTool,
  type Emitted,
  type Output,
  type RunTool,
  type Tool,
  type ToolContext,
  type ToolPlace,
  type ToolResult,
  type ToolWorkspace,
} from './tool.ts'
export type { FileStat, FileWrite, Process, SpawnRequest, TextFacts, Workspace } from './workspace.ts'
