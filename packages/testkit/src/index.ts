// The public door of testkit: real small doubles for tests and for `tenon dev`.

export { type LogContractOptions, logContract } from './log/contract.ts'
export { type LogTestEvent, logEvent, logGroup } from './log/events.ts'
export { createMemoryLog, type MemoryLog } from './log/memory-log.ts'
export { createRandom, freeProcess, type LogProcess, type LogWorld } from './log/process.ts'
export { type MakeModel, type ModelContractOptions, modelContract } from './model/contract.ts'
export { createQueueModel, type QueueModel, type QueueReply } from './model/queue.ts'
export {
  assistantMessage,
  callPart,
  collect,
  deltas,
  modelRequest,
  modelTool,
  toolMessage,
  userMessage,
} from './model/request.ts'
export { streamProblems } from './model/stream-law.ts'
export type { ModelServerOptions, RecordedRequest } from './model-server/options.ts'
export { type ModelServer, startModelServer } from './model-server/server.ts'
export type { ServerCall, ServerFail, ServerFault, ServerTurn } from './model-server/turn.ts'
export { callOf } from './scenario/drafts.ts'
export { type Given, given } from './scenario/given.ts'
export { type Grown, growKinds, growLog, type Wish } from './scenario/grow.ts'
export {
  createSimPlace,
  createStage,
  outline,
  type Place,
  type Stage,
  type StageLog,
  type StageOptions,
  type Time,
} from './scenario/stage.ts'
export {
  createMemorySession,
  type MemorySession,
  type MemorySessionOptions,
  openedDraft,
} from './session/memory-session.ts'
export { createMemorySource, type MemorySource } from './session/memory-source.ts'
export { createTestClock, type TestClock } from './session/test-clock.ts'
export { logProblems } from './sim/oracle.ts'
export { requestProblems } from './sim/sim-model.ts'
export { createWorld, sha256, type World } from './sim/world.ts'
export {
  contractCommands,
  type WorkspaceContractOptions,
  type WorkspaceWorld,
  workspaceContract,
} from './workspace/contract.ts'
export {
  createMemoryWorkspace,
  type MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from './workspace/memory-workspace.ts'
export type { ScriptedCommand, ScriptedFiles } from './workspace/scripted-process.ts'
export { createToolBench, resultText, type ToolBench } from './workspace/tool-bench.ts'
