// The owner of a session: one Log with its lease, its loop and its ports. Commands in; durable events and fragments out.
import { createFold, emptyRun, isResting, type RunState } from '@tenon/projections'
import {
  type Command,
  createIdGenerator,
  type Draft,
  type Event,
  type Hash,
  type Live,
  type Outcome,
  TenonError,
} from '@tenon/protocol'
import type { Blobs } from './blobs.ts'
import { type Bodies, createBodies } from './bodies.ts'
import type { Clock } from './clock.ts'
import { decide } from './decide/decide.ts'
import { createLiveHub } from './live.ts'
import type { Lease, Log } from './log.ts'
import { Loop } from './loop.ts'
import type { Models } from './model.ts'
import { runEnded } from './next/end.ts'
import type { Answerer } from './next/step.ts'
import { createOutcomes } from './outcomes.ts'
import { createPerform } from './perform/perform.ts'
import type { ContextSource } from './prompt/context-source.ts'
import { createReaders } from './readers.ts'
import { recover } from './recover.ts'
import type { Sender, Session } from './session.ts'
import type { Tool } from './tool.ts'
import type { Workspace } from './workspace.ts'

export interface SessionPorts {
  readonly log: Log
  readonly blobs: Blobs
  readonly models: Models
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly context: ContextSource
  readonly clock: Clock
  readonly hash: Hash
  readonly host: { readonly os: string; readonly version: string; readonly home: string }
  /** Fingerprint of tools and prompt texts: a context that was set under another one is set anew. */
  readonly build: string
  /** What an ask means while nobody is attached: `deny` at once, `stop` the run at it, `wait` with it open. */
  readonly onAsk: 'deny' | 'stop' | 'wait'
  /** The state that the log's events led to, folded while the lease read them; only later events are folded here. */
  readonly folded?: RunState
}

/** Grace for what still runs when a session closes (ms). */
const closeMs = 5_000
const absent = { deny: 'none', stop: 'stop', wait: 'some' } as const

/**
 * Takes the session for this process: folds what the log holds, appends the recovery, starts the loop.
 * @throws TenonError `log_damaged`, `lease_lost`, `storage_*`
 */
export async function openSession(ports: SessionPorts, lease: Lease): Promise<Session> {
  if (!lease.contents.whole) throw damaged(ports.log.session)
  const session = new Owner(ports, lease)
  await session.start()
  return session
}

class Owner implements Session {
  readonly id: Session['id']
  readonly #ports: SessionPorts
  readonly #lease: Lease
  readonly #loop: Loop
  readonly #bodies: Bodies
  readonly #live = createLiveHub()
  readonly #readers = createReaders(() => this.#durable.seq)
  readonly #outcomes
  readonly #answerers = new Set<AbortSignal>()
  #durable: RunState
  #failure: unknown

  constructor(ports: SessionPorts, lease: Lease) {
    const { clock, hash, log } = ports
    const fold = createFold(hash)
    const ids = createIdGenerator(
      () => clock.now(),
      () => clock.random(),
    )
    this.id = log.session
    this.#ports = ports
    this.#lease = lease
    this.#outcomes = createOutcomes(hash)
    this.#bodies = createBodies(log)
    this.#durable = ports.folded ?? emptyRun
    for (const event of lease.contents.groups.flat()) {
      if (event.seq > this.#durable.seq) this.#durable = fold(this.#durable, event)
    }
    const perform = createPerform({
      ...ports,
      ids,
      bodies: this.#bodies,
      emit: (fragment) => this.#live.emit(fragment),
      late: (drafts) => void this.#loop.append(drafts),
    })
    this.#loop = new Loop(this.#durable, {
      lease,
      fold,
      ids,
      perform,
      now: () => clock.now(),
      sleep: (at, signal) => clock.until(at, signal).catch(() => undefined),
      context: () => ({ now: clock.now(), answerer: this.#answerer(), hash, version: ports.host.version }),
      told: (events, state) => this.#told(events, state),
      failed: (error) => this.#fail(error),
    })
    lease.lost.addEventListener('abort', () => this.#loop.stop(lease.lost.reason), { once: true })
  }

  async start(): Promise<void> {
    const { clock } = this.#ports
    const state = this.#durable
    this.#loop.append([...recover(state, clock.now(), clock.random()), ...stampBuild(state, this.#ports.build)])
    await this.#loop.durable()
    this.#loop.turn()
  }

  state(): RunState {
    return this.#durable
  }

  durable(): number {
    return this.#durable.seq
  }

  command(command: Command, sender: Sender): Promise<Outcome> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const first = this.#outcomes.find(command, this.#loop.tip.causes)
    if (first) return first
    const outcome = this.#decide(command, sender)
    this.#outcomes.keep(command, outcome)
    return outcome
  }

  read(from: number, to: number): Promise<readonly Event[]> {
    return this.#bodies.range(from, Math.min(to, this.#durable.seq, from + 499))
  }

  changed(after: number, signal: AbortSignal): Promise<void> {
    return this.#readers.changed(after, signal)
  }

  live(signal: AbortSignal): AsyncIterable<Live> {
    return this.#live.listen(signal)
  }

  partial(): readonly Live[] {
    return this.#live.partial()
  }

  attachAnswerer(signal: AbortSignal): void {
    if (signal.aborted) return
    this.#answerers.add(signal)
    const leave = () => {
      this.#answerers.delete(signal)
      this.#loop.turn()
    }
    signal.addEventListener('abort', leave, { once: true })
    this.#loop.turn()
  }

  async rest(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure
      if (isResting(this.#loop.tip) && this.#durable.seq === this.#loop.tip.seq) return
      await this.#readers.changed(this.#durable.seq, signal)
    }
  }

  async close(): Promise<void> {
    this.#loop.append(leave(this.#loop.tip, this.#ports.clock.now()))
    await this.#loop.durable().catch(() => undefined)
    this.#loop.stop()
    const limit = new AbortController()
    const grace = this.#ports.clock.until(this.#ports.clock.now() + closeMs, limit.signal).catch(() => undefined)
    await Promise.race([this.#loop.settled(), grace])
    limit.abort()
    await this.#lease.release()
    // Whoever waits for rest of a session that did not come to it must hear that it never will.
    this.#fail(this.#failure ?? closed(this.id))
  }

  /** Tip decides, the log's durability speaks: acceptances and refusals alike wait for what they were decided on. */
  async #decide(command: Command, sender: Sender): Promise<Outcome> {
    const decision = decide(this.#loop.tip, command, {
      session: this.id,
      build: this.#ports.build,
      ...this.#ports.host,
    })
    if ('refusal' in decision) {
      await this.#loop.durable()
      return { accepted: false, refusal: decision.refusal }
    }
    const drafts = decision.events.map((draft) => ({ ...draft, ...(command.id && { cause: command.id }), ...sender }))
    const events = command.dryRun ? [] : this.#loop.append(drafts)
    const durable = this.#loop.durable()
    if (events.length > 0) this.#loop.turn()
    await durable
    if (this.#failure !== undefined) throw this.#failure
    const [first, last] = [events[0], events.at(-1)]
    return {
      accepted: true,
      seq: first && last ? [first.seq, last.seq] : null,
      ...(command.dryRun && { events: drafts }),
    }
  }

  #answerer(): Answerer {
    return this.#answerers.size > 0 ? 'some' : absent[this.#ports.onAsk]
  }

  #told(events: readonly Event[], state: RunState): void {
    this.#durable = state
    for (const event of events) {
      this.#bodies.add(event)
      if (event.type === 'message.added') this.#live.retire(event.id)
      if (event.type === 'tool.finished') this.#live.retire(event.ref.call)
    }
    this.#readers.wake()
  }

  #fail(error: unknown): void {
    this.#failure = error
    this.#readers.end()
  }
}

/** A run that rests at nothing but asks ends `asked` when its owner leaves: they can be answered later. */
function leave(state: RunState, now: number): Draft[] {
  const { run, asks, attempts, batch } = state
  const busy = attempts.length > 0 || batch?.calls.some((call) => call.state === 'running')
  return run && asks.length > 0 && !busy ? [runEnded({ ...state, run }, 'rest', now, { outcome: 'asked' })] : []
}

/** The build is a setting, so that `next` sees in the log which one owns the session. */
const stampBuild = (state: RunState, build: string): Draft[] =>
  state.session && state.settings.build !== build
    ? [
        {
          type: 'session.configured',
          by: 'harness',
          set: { build },
          was: { build: state.settings.build },
          source: 'harness',
        },
      ]
    : []

const closed = (session: string): TenonError =>
  new TenonError({
    code: 'closed',
    message: `The session ${session} was closed here.`,
    action: 'Open it again: it goes on where its log ends.',
    retryable: true,
  })

const damaged = (session: string): TenonError =>
  new TenonError({
    code: 'log_damaged',
    message: `The log of ${session} lacks acknowledged events.`,
    action: `See what is left: \`tenon session verify ${session}\`; list and show still work.`,
  })
