// A whole session on a stage: log, clock, model and world are doubles that a test moves by hand. One process at a time owns it.
import {
  type Blobs,
  type Clock,
  type Lease,
  type Log,
  type ModelRequest,
  openSession,
  type Session,
  type SessionPorts,
  type Tool,
  type Workspace,
} from '@tenon/core'
import { isResting } from '@tenon/projections'
import type { Command, CommandOf, Event, EventType, Outcome } from '@tenon/protocol'
import { createMemoryLog, type MemoryLog } from '../log/memory-log.ts'
import { createQueueModel, type QueueModel, type QueueReply } from '../model/queue.ts'
import { createRandom } from '../sim/random.ts'
import { createScheduler } from '../sim/scheduler.ts'
import { createSimBlobs, createSimTools, createSimWorkspace, createWorld, sha256, type World } from '../sim/world.ts'

/** How time passes: virtual by default, real where real tools matter. */
export interface Time {
  processClock(alive: () => boolean): Clock
  settle(): Promise<void>
  /** False when nothing waits for time to pass. */
  advance(): Promise<boolean>
}

/** What the tools of one process touch. */
export interface Place {
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
}

export interface StageOptions {
  readonly replies?: readonly QueueReply[]
  readonly open?: Partial<CommandOf<'open'>>
  readonly onAsk?: SessionPorts['onAsk']
  readonly build?: string
  /** Default: a memory log. */
  readonly log?: StageLog
  readonly time?: Time
  readonly blobs?: Blobs
  /** Default: the simulator's tools over `world`. */
  readonly place?: (clock: Clock, alive: () => boolean) => Place
  readonly world?: World
  readonly context?: SessionPorts['context']
  /** Every die that is rolled: ids and rolls of failed attempts. */
  readonly random?: () => number
  /** False: the log is taken as it is, nothing is sent. */
  readonly opens?: boolean
}

export type StageLog = Log & Partial<Pick<MemoryLog, 'crash' | 'unhold' | 'attach'>>

export interface Stage {
  readonly model: QueueModel
  readonly world: World
  readonly log: StageLog
  readonly session: Session
  readonly lease: Lease
  now(): number
  /** Sends at once; the promise is the outcome. */
  command(command: Command): Promise<Outcome>
  send(text: string, more?: Partial<CommandOf<'send'>>): Promise<Outcome>
  /** Lets time pass until nothing runs and nothing is asked to. @throws when it cannot come to rest */
  rest(): Promise<void>
  /** Runs what is ready, without letting time pass. */
  settle(): Promise<void>
  /** Goes to the next moment at which something is due; false when there is none. */
  advance(): Promise<boolean>
  /** Lets time pass until an event matches that was not there `after` (a seq, default none). */
  until(type: EventType, which?: (event: Event) => boolean, after?: number): Promise<Event>
  /** Lets time pass until nothing is due any more, at rest or not. */
  quiet(): Promise<void>
  /** Durable events. */
  events(): Promise<readonly Event[]>
  /** Somebody who can answer comes; the function lets them leave. */
  attach(): () => void
  /** Power is cut: what was not durable is gone, the process is dead. */
  crash(): Promise<void>
  /** The next process takes the session. */
  reopen(options?: Pick<StageOptions, 'onAsk' | 'build' | 'place'>): Promise<void>
  close(): Promise<void>
}

const tooLong = 20_000

/** The simulator's tools over its world. */
export const createSimPlace = (world: World, clock: Clock, alive: () => boolean): Place => ({
  tools: createSimTools(world, clock, alive),
  workspace: createSimWorkspace(world, alive),
})

const find = (
  events: readonly Event[],
  type: string,
  which: ((event: Event) => boolean) | undefined,
  after: number,
): Event | undefined => events.find((event) => event.seq > after && event.type === type && (which?.(event) ?? true))

export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const log = options.log ?? createMemoryLog('ses_stage')
  const world = options.world ?? createWorld()
  const random = createRandom(1)
  const time = options.time ?? createScheduler(random)
  const model = createQueueModel(...(options.replies ?? []))
  const blobs = options.blobs ?? createSimBlobs()
  const place = options.place ?? ((clock, alive) => createSimPlace(world, clock, alive))
  const roll = options.random ?? (() => random.next())

  const start = async (changed: Pick<StageOptions, 'onAsk' | 'build' | 'place'> = {}) => {
    const life = { alive: true }
    const death = new AbortController()
    const alive = () => life.alive
    const clock: Clock = { ...time.processClock(alive), random: roll }
    const attached = log.attach?.() ?? log
    const lease = await attached.claim({ takeOver: true })
    const ports: SessionPorts = {
      log: attached,
      blobs,
      clock,
      hash: sha256,
      // What a dead process asked for takes no reply from the next one.
      models: {
        resolve: async () => ({
          stream: (request, signal) => model.stream(request, AbortSignal.any([signal, death.signal])),
        }),
      },
      context: options.context ?? { blocks: async () => [] },
      host: { os: 'stage', version: '0', home: '/home' },
      build: changed.build ?? options.build ?? 'b1',
      onAsk: changed.onAsk ?? options.onAsk ?? 'wait',
      ...(changed.place ?? place)(clock, alive),
    }
    const session = await openSession(ports, lease)
    const kill = () => {
      life.alive = false
      world.holding.clear()
      death.abort()
    }
    return { session, lease, clock, kill }
  }

  let process = await start()
  const events = async () => (await log.read()).groups.flat()

  const stage: Stage = {
    model,
    world,
    log,
    get session() {
      return process.session
    },
    get lease() {
      return process.lease
    },
    now: () => process.clock.now(),
    command: (command) => process.session.command(command, { client: 'stage' }),
    send: (text, more = {}) => stage.command({ command: 'send', parts: [{ type: 'text', text }], ...more }),
    settle: () => time.settle(),
    advance: () => time.advance(),
    events,
    async rest() {
      for (let i = 0; i < tooLong; i++) {
        await time.settle()
        if (isResting(process.session.state())) return
        if (!(await time.advance()) && !isResting(process.session.state())) throw await stuck('it does not rest')
      }
      throw await stuck('it never rests')
    },
    async until(type, which, after = -1) {
      for (let i = 0; i < tooLong; i++) {
        await time.settle()
        const found = find(await events(), type, which, after)
        if (found) return found
        if (await time.advance()) continue
        await time.settle()
        if (!find(await events(), type, which, after)) throw await stuck(`${type} does not come`)
      }
      throw await stuck(`${type} never comes`)
    },
    async quiet() {
      await time.settle()
      for (let i = 0; i < tooLong && (await time.advance()); i++) await time.settle()
    },
    attach() {
      const here = new AbortController()
      process.session.attachAnswerer(here.signal)
      return () => here.abort()
    },
    async crash() {
      log.crash?.()
      process.kill()
      log.unhold?.()
      await time.settle()
    },
    async reopen(changed) {
      process = await start(changed)
    },
    close: () => process.session.close(),
  }

  const stuck = async (what: string): Promise<Error> => {
    const tail = (await events()).slice(-8).map((event) => `${event.seq} ${event.type}`)
    return new Error(`${what}; the log ends with ${tail.join(', ')}`)
  }

  if (options.opens !== false) {
    const { config, ...more } = options.open ?? {}
    await stage.command({
      command: 'open',
      id: 'open',
      cwd: '/w',
      model: 'stage/a',
      mode: 'bypassPermissions',
      config: { 'checks.verify': false, ...config },
      ...more,
    })
  }
  return stage
}

/** Requests as a strict reader sees them: one line a message. */
export const outline = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).map((message) => {
    if (message.role === 'tool')
      return `tool ${message.results.map(({ name, status }) => `${name}:${status}`).join(' ')}`
    const parts = message.parts.map((part) =>
      part.type === 'text' ? part.text : part.type === 'call' ? `<${part.name}>` : `[${part.type}]`,
    )
    return `${message.role} ${parts.join(' | ')}`
  })
