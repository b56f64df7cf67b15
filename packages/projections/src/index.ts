// The public door of projections: pure folds of events.

export {
  extendView,
  projectionVersion,
  requestHash,
  type ViewMessage,
  type ViewPart,
  viewSeqs,
} from './context/view.ts'
export { CallBook, type LinkProblem } from './law/identity.ts'
export { headOf, indexById, path } from './law/path.ts'
export { findCall, isComplete } from './run/batch.ts'
export { callPrint, isFinishing, todoMark, verifyMark } from './run/branch.ts'
export { createFold, type Fold } from './run/fold.ts'
export { boundaryAbove, boundaryBelow, findNode } from './run/move.ts'
export { seenHash } from './run/seen.ts'
export {
  type Attempt,
  type Batch,
  type Branch,
  type Call,
  type CallState,
  emptyBranch,
  emptyRun,
  type Failures,
  type Linked,
  limitsOf,
  type Node,
  type OpenAsk,
  type OpenRun,
  type Print,
  type Queued,
  type Reply,
  type Request,
  type RunState,
  type Spent,
} from './run/state.ts'
export { isResting, type Status, status } from './run/status.ts'
