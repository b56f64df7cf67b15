// The live sessions of this process: one Session per id, however many requests ask for it at once.
import type { Blobs, Sender, Session } from '@tenon/core'
import { type CommandOf, type Outcome, type SessionId, type SessionPage, TenonError } from '@tenon/protocol'

export interface Opened {
  readonly session: Session
  readonly outcome: Outcome
}

/** Adapter, given by the composer: where sessions come from. */
export interface SessionSource {
  /**
   * Makes the session `command.session` (or a fresh id), or takes up the one with that id, and gives it the command.
   * @throws TenonError `session_in_use` and whatever opening the log can throw
   */
  open(command: CommandOf<'open'>, sender: Sender): Promise<Opened>
  /** Takes up a stored session. @throws TenonError `unknown_session`, `session_in_use`, `log_damaged`, … */
  resume(id: SessionId): Promise<Session>
  /** One page of stored sessions, newest first. `cursor` is a `next` of this adapter. @throws TenonError `bad_request` */
  list(query: { readonly limit: number; readonly cursor?: string }): Promise<SessionPage>
  /** Content stored beside a session's log. @throws TenonError `unknown_session` */
  blobs(id: SessionId): Promise<Blobs>
}

/** Why a session leaves this process: somebody closed it, the process goes, or the session failed with this error. */
export type Leaving = 'closed' | 'draining' | Error

/** A session that this process owns. */
export interface LiveSession {
  readonly session: Session
  /** Aborts with a `Leaving` when it leaves the registry: streams say bye. */
  readonly ended: AbortSignal
}

export interface Registry {
  /** `made`: this call wrote the first event of a new session. */
  open(command: CommandOf<'open'>, sender: Sender): Promise<Opened & { readonly made: boolean }>
  /** The live session, taken up when it is not yet. @throws as `SessionSource.resume`, `closed` after `close` */
  get(id: SessionId): Promise<LiveSession>
  all(): readonly LiveSession[]
  find(id: SessionId): LiveSession | undefined
  list: SessionSource['list']
  blobs: SessionSource['blobs']
  /** Closes one session, unless another one has its id by now; the next touch takes it up again. */
  drop(session: Session, why?: Leaving): Promise<void>
  /** Closes all and takes up no more. */
  close(): Promise<void>
}

interface Entry extends LiveSession {
  readonly end: AbortController
}

export function createRegistry(store: SessionSource): Registry {
  const live = new Map<SessionId, Entry>()
  const taking = new Map<SessionId, Promise<LiveSession>>()
  const queues = new Map<SessionId, Promise<unknown>>()
  let closed = false

  /** Opening, taking up and closing of one id go one after another: a lease is given back before it is claimed again. */
  const inTurn = <T>(id: SessionId, work: () => Promise<T>): Promise<T> => {
    const turn = (queues.get(id) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => {})
    queues.set(id, settled)
    void settled.then(() => queues.get(id) === settled && queues.delete(id))
    return turn
  }

  const adopt = async (session: Session): Promise<LiveSession> => {
    const known = live.get(session.id)
    if (known) return known
    if (closed) {
      await session.close()
      throw closing()
    }
    const end = new AbortController()
    const entry = { session, end, ended: end.signal }
    live.set(session.id, entry)
    return entry
  }

  const take = (id: SessionId): Promise<LiveSession> => {
    const running = taking.get(id)
    if (running) return running
    const started = inTurn(id, async () => live.get(id) ?? adopt(await store.resume(id)))
    taking.set(id, started)
    const done = () => taking.delete(id)
    started.then(done, done)
    return started
  }

  const openHere: Registry['open'] = async (command, sender) => {
    const known = command.session && live.get(command.session)
    if (known) return { session: known.session, outcome: await known.session.command(command, sender), made: false }
    const opened = await store.open(command, sender)
    // A dry run or a refusal on an empty log leaves nothing worth keeping a lease for.
    if (opened.session.durable() < 0) await opened.session.close()
    else await adopt(opened.session)
    return { ...opened, made: opened.outcome.accepted && opened.outcome.seq?.[0] === 0 }
  }

  const drop: Registry['drop'] = async (session, why = 'closed') => {
    const entry = live.get(session.id)
    if (entry?.session !== session) return
    live.delete(session.id)
    entry.end.abort(why)
    await inTurn(session.id, () => session.close())
  }

  return {
    open: async (command, sender) => {
      if (closed) throw closing()
      return command.session ? inTurn(command.session, () => openHere(command, sender)) : openHere(command, sender)
    },
    get: async (id) => {
      if (closed) throw closing()
      return live.get(id) ?? take(id)
    },
    all: () => [...live.values()],
    find: (id) => live.get(id),
    list: (query) => store.list(query),
    blobs: (id) => store.blobs(id),
    drop,
    close: async () => {
      closed = true
      const results = await Promise.allSettled([...live.values()].map(({ session }) => drop(session, 'draining')))
      await Promise.all(queues.values())
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  }
}

const closing = (): TenonError =>
  new TenonError({
    code: 'closed',
    message: 'This process is shutting down and takes up no more sessions.',
    action: 'Start again; the session continues where its log ends.',
    retryable: true,
  })
