// One session as a client holds it: commands, events, the stream, a live view.
import {
  type Answer,
  type Command,
  type CommandOf,
  type CommandReply,
  commandReply,
  type Event,
  type EventId,
  type EventPage,
  eventPage,
  type Json,
  type Part,
  type RunView,
  runView,
  type SessionId,
} from '@tenon/protocol'
import { type StreamItem, type StreamQuery, streamFrames } from './stream.ts'
import type { Transport } from './transport.ts'
import { emptyView, foldView, type LiveView } from './view.ts'

export interface SendOptions {
  /** Names the command, so that a repeat gets the first outcome. Default: a fresh one. */
  readonly id?: string
  readonly dryRun?: boolean
  /** Seconds (≤ 600) to hold the answer until the run rests; the reply then has `rested`, `run` and `final`. */
  readonly wait?: number
  readonly signal?: AbortSignal
}

export interface EventQuery {
  /** Events with a higher seq; default −1. */
  readonly after?: number
  /** Events with a lower seq. */
  readonly before?: number
  readonly types?: readonly Event['type'][]
  /** Events a page, 1 to 500. */
  readonly limit?: number
  readonly cursor?: string
  readonly signal?: AbortSignal
}

/** Every method rejects with TenonError: a refusal with its own code, `unreachable` when connections stay lost. */
export class ClientSession {
  readonly id: SessionId
  readonly #transport: Transport
  readonly #nextId: () => string
  readonly #path: string

  constructor(id: SessionId, transport: Transport, nextId: () => string) {
    this.id = id
    this.#transport = transport
    this.#nextId = nextId
    this.#path = `/api/sessions/${encodeURIComponent(id)}`
  }

  /** Any command. It gets its id before the first try and is sent again after a lost connection. */
  command(command: Command, options: SendOptions = {}): Promise<CommandReply> {
    const { id = command.id ?? `cmd_${this.#nextId()}`, dryRun, wait, signal } = options
    const body = { ...command, id, ...(dryRun ? { dryRun } : {}) }
    return this.#transport.call(commandReply, {
      method: 'POST',
      path: `${this.#path}/commands`,
      body,
      ...(wait === undefined ? {} : { headers: { prefer: `wait=${wait}` } }),
      signal,
    })
  }

  send(
    message: string | readonly Part[],
    options: SendOptions & Pick<CommandOf<'send'>, 'delivery' | 'run'> = {},
  ): Promise<CommandReply> {
    const parts = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message
    const { delivery, run, ...rest } = options
    const more = { ...(delivery ? { delivery } : {}), ...(run === undefined ? {} : { run }) }
    return this.command({ command: 'send', parts, ...more }, rest)
  }

  run(options: SendOptions & Pick<CommandOf<'run'>, 'limits'> = {}): Promise<CommandReply> {
    const { limits, ...rest } = options
    return this.command({ command: 'run', ...(limits ? { limits } : {}) }, rest)
  }

  answer(ask: EventId, answer: Answer, options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'answer', ask, ...answer }, options)
  }

  interrupt(options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'interrupt' }, options)
  }

  pause(options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'pause' }, options)
  }

  /** Moves HEAD: exactly one of `to` (an event), `undo` (n person turns), `redo`. */
  move(target: Pick<CommandOf<'move'>, 'to' | 'undo' | 'redo'>, options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'move', ...target }, options)
  }

  configure(set: Readonly<Record<string, Json>>, options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'configure', set }, options)
  }

  withdraw(queued: EventId, options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'withdraw', queued }, options)
  }

  /** Releases the session: its owner stops and gives the lease back. */
  close(options?: SendOptions): Promise<CommandReply> {
    return this.command({ command: 'close' }, options)
  }

  page({ types, signal, ...query }: EventQuery = {}): Promise<EventPage> {
    const call = { path: `${this.#path}/events`, query: { ...query, types: types?.join(',') }, signal }
    return this.#transport.call(eventPage, call)
  }

  /** What is durable now, page by page, to its end. */
  async *events(query: EventQuery = {}): AsyncGenerator<Event, void> {
    let cursor = query.cursor
    do {
      const page = await this.page({ ...query, ...(cursor === undefined ? {} : { cursor }) })
      yield* page.items
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
  }

  /** Frames from now on or after a cursor; see `streamFrames` for when it ends. */
  stream(query: StreamQuery = {}): AsyncGenerator<StreamItem, void> {
    const answer = query.answer ?? interactive.includes(this.#transport.kind ?? '')
    return streamFrames(this.#transport, `${this.#path}/stream`, { ...query, answer })
  }

  /** The run projection: status, asks, queue, settings, cost. */
  state(signal?: AbortSignal): Promise<RunView> {
    return this.#transport.call(runView, { path: `${this.#path}/projections/run`, signal })
  }

  /** The live view, again after each change. Ends as the stream does. */
  async *view(query: Omit<StreamQuery, 'after' | 'tail'> = {}): AsyncGenerator<LiveView, void> {
    let view = emptyView
    yield view
    for await (const item of this.stream(query)) {
      view = foldView(view, item)
      // Bursts cost one fetch: while it runs, the server joins what comes meanwhile.
      if (item.t === 'hello' || item.t === 'events') view = { ...view, run: await this.state(query.signal) }
      yield view
    }
  }
}

const interactive = ['tui', 'web', 'acp']
