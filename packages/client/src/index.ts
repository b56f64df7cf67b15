// The public door of client: the typed client and the shapes that its streams and views give.
export { Client, type OpenedSession } from './client.ts'
export type { ClientClock } from './clock.ts'
export type { WireFacts } from './failure.ts'
export type { ClientSession, EventQuery, SendOptions } from './session.ts'
export type { Retrying, StreamItem, StreamQuery } from './stream.ts'
export type { ClientOptions, Fetch } from './transport.ts'
export { type Connection, emptyView, foldView, type LiveView, type OpenItem } from './view.ts'
