// The public door of server: the fetch handler and the registry of live sessions.
export { createHandler, type Handler, type HandlerOptions } from './handler.ts'
export {
  createRegistry,
  type Leaving,
  type LiveSession,
  type Opened,
  type Registry,
  type SessionSource,
} from './registry.ts'
export { toSummary } from './run-view.ts'
