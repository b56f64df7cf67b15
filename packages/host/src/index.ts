// The public door of host.

export { createFileBlobs, type FileBlobsOptions } from './blobs/blobs.ts'
export { systemClock } from './clock/clock.ts'
export { type ProviderSetting, readUserConfig, type UserConfig } from './config/config.ts'
export { type ContextOptions, createContextSource, findRoot } from './context/context.ts'
export { sha256 } from './hash/hash.ts'
export { createFileLog, type FileLogOptions } from './log/file-log.ts'
export { fromSocketUrl } from './socket/address.ts'
export { socketFetch } from './socket/fetch.ts'
export { type Presence, probeSocket } from './socket/probe.ts'
export { type SocketServer, serveSocket } from './socket/serve.ts'
export { createPlaces, type Places } from './store/places.ts'
export {
  createSessionStore,
  type ListQuery,
  type SessionStore,
  type SessionStoreOptions,
  type StoredSession,
  type SyncMode,
} from './store/session-store.ts'
export { endLeftovers } from './workspace/leftovers.ts'
export { createLocalWorkspace } from './workspace/local.ts'
export type { SpawnOptions } from './workspace/spawn.ts'
