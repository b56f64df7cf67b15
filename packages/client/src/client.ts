// The typed client: the same in process, over a socket and over the network; only its fetch differs.
import {
  createIdGenerator,
  type InboxAnswer,
  type InboxAsk,
  type InboxOutcomes,
  inbox,
  inboxOutcomes,
  type OpenBody,
  type OpenReply,
  openReply,
  type ServerInfo,
  type SessionId,
  type SessionPage,
  type SessionSummary,
  serverInfo,
  sessionPage,
  sessionSummary,
} from '@tenon/protocol'
import { ClientSession } from './session.ts'
import { type ClientOptions, createTransport, type Transport } from './transport.ts'

export interface OpenedSession {
  readonly session: ClientSession
  readonly reply: OpenReply
}

/** Holds no connection of its own: there is nothing to close. Every method rejects with TenonError. */
export class Client {
  readonly #transport: Transport
  readonly #nextId: () => string

  constructor(options: ClientOptions = {}) {
    this.#transport = createTransport(options)
    const { clock } = this.#transport
    this.#nextId = createIdGenerator(
      () => Math.floor(clock.now()),
      () => clock.random(),
    )
  }

  info(signal?: AbortSignal): Promise<ServerInfo> {
    return this.#transport.call(serverInfo, { path: '/api/info', signal })
  }

  /** A handle on a session that is known to exist; nothing is requested. */
  session(id: SessionId): ClientSession {
    return new ClientSession(id, this.#transport, this.#nextId)
  }

  readonly sessions = {
    /** Opens a session. Its id is made here, so that a repeat after a lost connection opens no second one. */
    open: async (order: OpenBody, signal?: AbortSignal): Promise<OpenedSession> => {
      const id = this.#nextId()
      const body = { id: `cmd_${id}`, session: `ses_${id}` as const, ...order }
      const reply = await this.#transport.call(openReply, { method: 'POST', path: '/api/sessions', body, signal })
      return { session: this.session(reply.session), reply }
    },
    /** One page, newest first; `limit` 1 to 100. */
    list: (
      query: { readonly limit?: number; readonly cursor?: string; readonly signal?: AbortSignal } = {},
    ): Promise<SessionPage> => {
      const { signal, ...rest } = query
      return this.#transport.call(sessionPage, { path: '/api/sessions', query: rest, signal })
    },
    get: (id: SessionId, signal?: AbortSignal): Promise<SessionSummary> =>
      this.#transport.call(sessionSummary, { path: `/api/sessions/${encodeURIComponent(id)}`, signal }),
  }

  readonly inbox = {
    /** Open asks of all live sessions. */
    list: async (signal?: AbortSignal): Promise<readonly InboxAsk[]> =>
      (await this.#transport.call(inbox, { path: '/api/inbox', signal })).items,
    /** At most 100 answers, each with its own outcome, in order. */
    answer: async (answers: readonly InboxAnswer[], signal?: AbortSignal): Promise<InboxOutcomes['items']> => {
      const body = { answers: answers.map((answer) => ({ id: `cmd_${this.#nextId()}`, ...answer })) }
      const call = { method: 'POST' as const, path: '/api/inbox/answer', body, signal }
      return (await this.#transport.call(inboxOutcomes, call)).items
    },
  }
}
