// What the server is started with, and what it remembers of each request.
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '@tenon/protocol'
import type { ServerTurn } from './turn.ts'

export interface ModelServerOptions {
  readonly script: readonly ServerTurn[]
  /** Default 0: any free port. */
  readonly port?: number
  /** Refuse what real providers refuse. Default false. */
  readonly strict?: boolean
  /** Tokens (characters / 4) that fit, when strict. */
  readonly window?: number
  /** Ask for this key; else none is asked for. */
  readonly apiKey?: string
}

export interface RecordedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  /** Milliseconds UTC. */
  readonly at: number
  /** Turn that it asked for, from 0. */
  readonly place: number
  /** Why it was refused. */
  readonly refused?: string
}
