// One random life of a session: commands, late answers, moves, failures, crashes; then everybody leaves and it must come to rest.
import type { ModelRequest } from '@tenon/core'
import { isResting } from '@tenon/projections'
import { type Command, type Event, type Json, type Outcome, TenonError } from '@tenon/protocol'
import { createMemoryLog } from '../log/memory-log.ts'
import { randomCommand } from './commands.ts'
import { logProblems } from './oracle.ts'
import { createPrefixLaw } from './prefix-law.ts'
import { type SimProcess, startProcess } from './process.ts'
import { createRandom } from './random.ts'
import { createScheduler } from './scheduler.ts'
import { createWorld } from './world.ts'

export interface Life {
  readonly seed: number
  readonly events: readonly Event[]
  readonly problems: readonly string[]
  readonly crashes: number
  readonly requests: number
}

interface Told {
  readonly command: Command
  readonly outcome: Outcome
}

/** @param crashes whether processes die and leases are lost in this life */
export async function live(seed: number, crashes: boolean, steps = 60): Promise<Life> {
  const random = createRandom(seed)
  const scheduler = createScheduler(random)
  const world = createWorld()
  const log = createMemoryLog('ses_sim')
  const onAsk = random.pick(['deny', 'stop', 'wait'] as const) ?? 'deny'
  const sent: Command[] = []
  const told: Told[] = []
  let requests = 0
  const storedNow = () => log.stored()
  let deaths = 0
  const stubborn = random.chance(0.1)
  const prefix = createPrefixLaw(world.problems)
  const seen = (request: ModelRequest) => {
    requests++
    prefix(request, storedNow())
  }
  const start = () => startProcess(log.attach(), world, random, scheduler, { onAsk, stubborn }, seen)
  let process: SimProcess = await start()

  const send = async (command: Command): Promise<void> => {
    sent.push(command)
    await process.session.command(command, { client: 'sim' }).then(
      (outcome) => {
        told.push({ command, outcome })
        // What it rests on is durable by now, not later and not perhaps.
        if (!outcome.accepted) world.problems.push(...groundless(storedNow(), command, outcome.refusal.code))
      },
      (error: unknown) => {
        const code = error instanceof TenonError ? error.code : String(error)
        if (code !== 'lease_lost' && code !== 'storage_failed')
          world.problems.push(`the session failed: ${String(error)}`)
      },
    )
  }
  const restart = async (): Promise<void> => {
    deaths++
    process.kill()
    // Else the old owner lives on as a zombie for a moment: the lease is taken over under it.
    if (random.chance(0.7)) log.crash()
    log.unhold()
    process = await start()
  }

  /** RING 1.1: two answers to one ask while nothing becomes durable; then the power fails, or it does not. */
  const duel = async (): Promise<void> => {
    const ask = random.pick(process.session.state().asks)
    if (!ask) return
    log.hold()
    const base = { command: 'answer', ask: ask.id } as const
    for (const side of ['a', 'b']) {
      const option = random.pick(ask.options)
      const body = option === undefined ? { options: [], answers: [{ options: [side] }] } : { options: [option] }
      void send({ ...base, ...body, id: `duel${side}${sent.length}`, text: side })
      if (random.chance(0.5)) await scheduler.settle()
    }
    await scheduler.settle()
    if (crashes && random.chance(0.5)) await restart()
    else log.unhold()
  }

  void send({
    id: 'open',
    command: 'open',
    cwd: '/w',
    model: 'sim/a',
    mode: random.pick(['default', 'acceptEdits', 'bypassPermissions'] as const) ?? 'default',
  })
  await scheduler.settle()
  for (let step = 0; step < steps; step++) {
    const act = random.weighted({
      command: 5,
      time: 12,
      hold: 0.6,
      unhold: 1.5,
      sync: 0.3,
      answerer: 1,
      duel: 0.6,
      crash: crashes ? 0.6 : 0,
    })
    if (act === 'command') {
      const state = process.session.state()
      const ids = (await log.read()).groups.flat().flatMap((event) => (event.parent === undefined ? [] : [event.id]))
      void send(randomCommand(random, state, ids, sent))
    } else if (act === 'time') await scheduler.advance()
    else if (act === 'hold') log.hold()
    else if (act === 'unhold') log.unhold()
    else if (act === 'sync') log.failSyncs(1 + random.below(2))
    else if (act === 'duel') await duel()
    else if (act === 'answerer') process.setAnswerer(random.chance(0.6))
    else await restart()
    await scheduler.settle()
  }
  log.unhold()
  process.setAnswerer(false)
  const problems = [...world.problems, ...(await comeToRest(process, scheduler, onAsk))]
  const events = (await log.read()).groups.flat()
  problems.push(
    ...logProblems(events, process.session.state()),
    ...toldProblems(events, told),
    ...runProblems(world.runs, events),
    ...unanswered(events, process),
  )
  return { seed, events, problems: [...new Set(problems)], crashes: deaths, requests }
}

/** L: with nobody left and time passing, every life comes to rest; where asks wait it rests at them. */
async function comeToRest(
  process: SimProcess,
  scheduler: ReturnType<typeof createScheduler>,
  onAsk: string,
): Promise<string[]> {
  for (let i = 0; i < 20_000; i++) {
    await scheduler.settle()
    const state = process.session.state()
    if (isResting(state)) return []
    if (await scheduler.advance()) continue
    await scheduler.settle()
    const after = process.session.state()
    if (isResting(after) || (onAsk === 'wait' && after.asks.length > 0)) return []
    return [
      `it hangs: run ${after.run?.id}, stopping ${after.run?.stopping}, attempts ${after.attempts.length}, owed ${after.branch.owed}, calls ${after.batch?.calls.map(({ state }) => state).join()}, asks ${after.asks.map(({ kind }) => kind).join()}`,
    ]
  }
  return ['it never comes to rest']
}

/** O: what was told outside is in the log. An accepted command's events carry its id; a refusal's ground stands there too. */
function toldProblems(events: readonly Event[], told: readonly Told[]): string[] {
  return told.flatMap(({ command, outcome }) => {
    if (command.dryRun) return []
    if (!outcome.accepted) return groundless(events, command, outcome.refusal.code)
    if (outcome.seq === null) return []
    const [first, last] = outcome.seq
    const kept = [first, last].every((seq) => events[seq]?.cause === command.id)
    return kept ? [] : [`accepted ${command.command} ${command.id} (seq ${first}–${last}) is not in the log`]
  })
}

function groundless(events: readonly Event[], command: Command, code: string): string[] {
  if (command.command === 'answer' && command.ask !== 'ev_gone' && code === 'ask_closed') {
    const closed = events.some((event) => event.type === 'ask.closed' && event.ask === command.ask)
    return closed ? [] : [`"${command.ask} is closed" was told, but no ask.closed is in the log`]
  }
  if (command.command === 'withdraw' && code === 'already_delivered') {
    const delivered = events.some((event) => event.type === 'message.added' && event.queued === command.queued)
    return delivered ? [] : [`"${command.queued} is delivered" was told, but it is not in the log`]
  }
  return []
}

/** A run that ends done leaves no message behind that was there before its end. */
function unanswered(events: readonly Event[], { session }: SimProcess): string[] {
  const { last, queue } = session.state()
  if (last?.outcome !== 'done') return []
  const left = events.filter((event) => event.seq < last.seq && queue.some(({ id }) => id === event.id))
  return left.map(({ id }) => `the message ${id} waits though the run ended done`)
}

/** No second start, and write-ahead: a call's body ran at most once, and only with its start in the log. */
function runProblems(runs: ReadonlyMap<string, number>, events: readonly Event[]): string[] {
  const started = new Set(events.flatMap((event) => (event.type === 'tool.started' ? [keyOf(event.input)] : [])))
  return [...runs].flatMap(([key, count]) => [
    ...(count > 1 && key !== 'same' ? [`call ${key} ran ${count} times`] : []),
    ...(started.has(key) ? [] : [`call ${key} ran without a stored start`]),
  ])
}

const keyOf = (input: Json): string =>
  typeof input === 'object' && input !== null && 'key' in input ? String(input.key) : ''
