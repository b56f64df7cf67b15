// The public door of host.
export type { SpawnOptions } from './workspace/spawn.ts'
export { createLocalWorkspace } from './workspace/local.ts'
export { createFileBlobs, type FileBlobsOptions } from './blobs/blobs.ts'
export { createFileLog, type FileLogOptions } from './log/file-log.ts'
export type { Checkpoint } from './store/checkpoint.ts'
export { createPlaces, type Places } from './store/places.ts'
export {
  createSessionStore, type ListQuery, type SessionStore, type SessionStoreOptions, type StoredSession, type SyncMode,
} from './store/session-store.ts'
export { systemClock } from './clock/clock.ts'
export { type ProviderSetting, readUserConfig, type UserConfig } from './config/config.ts'
export { type ContextOptions, createContextSource, findRoot } from './context/context.ts'
export { sha256 } from './hash/hash.ts'
export { fromSocketUrl } from './socket/address.ts'
export { socketFetch } from './socket/fetch.ts'
export { type Presence, probeSocket } from './socket/probe.ts'
export { serveSocket, type SocketServer } from './socket/serve.ts'
