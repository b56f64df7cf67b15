// Several writers and readers on one log, switched at each call to storage; writers freeze, take over, tear and die.
import assert from 'node:assert/strict'
import type { Lease, Log } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { logGroup } from './events.ts'
import type { LogOracle } from './oracle.ts'
import { createLogOracle } from './oracle.ts'
import type { LogProcess, LogWorld } from './process.ts'
import { createRandom, freeProcess } from './process.ts'
import { createStepper } from './stepper.ts'

export interface Round {
  readonly seed: number
  /** Makes the storage; `random` decides sizes that only the adapter knows. */
  readonly make: (random: () => number) => Promise<LogWorld>
}

/** One life of a log. Throws, naming the seed and the last steps, when a promise was broken. */
export async function runInterleaving({ seed, make }: Round): Promise<void> {
  const random = createRandom(seed)
  const world = await make(random)
  const oracle = createLogOracle()
  const stepper = createStepper(random)
  const logs: Log[] = []
  const open = (process: LogProcess) => {
    const log = world.open(process)
    logs.push(log)
    return log
  }
  const writers = 2 + Math.floor(random() * 3)
  for (let i = 0; i < writers; i++)
    stepper.start(`W${i}`, true, (process) => write(`${i}`, open(process), oracle, random))
  stepper.start('R', false, (process) => follow('R', open(process), oracle, random))
  stepper.start('S', false, (process) => lookOften('S', () => open(process), oracle))
  try {
    await stepper.run()
    await finish(open(freeProcess), oracle)
  } catch (error) {
    throw new Error(`round of seed ${seed}: ${causes(error)}`, { cause: error })
  } finally {
    // Dead processes never answer: their timers end, their calls are left alone.
    for (const log of logs) void log.close().catch(() => undefined)
    await world.dispose()
  }
}

/** Claims, appends, loses the lease and claims again, three times. */
async function write(name: string, log: Log, oracle: LogOracle, random: () => number): Promise<void> {
  for (let life = 0; life < 3; life++) {
    const mark = oracle.mark()
    const lease = await log.claim({ takeOver: true }).catch(requireCode('session_in_use', 'storage_failed'))
    if (!lease) continue
    oracle.check(`W${name} ${life}`, mark, lease.contents)
    await appendSome(`${name}${life}`, lease, oracle, random)
    if (random() < 0.4) await lease.release()
  }
}

async function appendSome(writer: string, lease: Lease, oracle: LogOracle, random: () => number): Promise<void> {
  let next = (lease.contents.groups.at(-1)?.at(-1)?.seq ?? -1) + 1
  for (let batch = 0; batch < 3; batch++) {
    const together: Promise<undefined | string>[] = []
    for (let i = 0; i <= random() * 2; i++) {
      const group = logGroup(next, 1 + Math.floor(random() * 3), writer)
      next += group.length
      const stored = lease.append(group).then(() => oracle.acknowledge(group))
      together.push(stored.then(() => undefined, refusal))
    }
    const [refused] = (await Promise.all(together)).filter((code) => code !== undefined)
    if (refused === 'lease_lost') assert.ok(lease.lost.aborted, 'the signal says that the lease is lost')
    if (refused) return
  }
}

/** One process that keeps its Log: reads all, from the middle, single events, and several of these at once. */
async function follow(name: string, log: Log, oracle: LogOracle, random: () => number): Promise<void> {
  for (let look = 0; look < 10; look++) {
    const looks = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
      lookOnce(`${name} ${look}`, log, oracle, random),
    )
    await Promise.all(looks)
  }
}

async function lookOnce(name: string, log: Log, oracle: LogOracle, random: () => number): Promise<void> {
  const mark = oracle.mark()
  const known = oracle.promised()
  const seq = known[Math.floor(random() * known.length)]
  if (seq !== undefined && random() < 0.4) {
    const [event] = await log.pick([seq])
    assert.equal(event?.id, oracle.idOf(seq), `${name}: picked seq ${seq}`)
  } else {
    const from = random() < 0.5 ? 0 : (seq ?? 0)
    oracle.check(name, mark, await log.read(from), from)
  }
}

/** Processes that look once and go. */
async function lookOften(name: string, open: () => Log, oracle: LogOracle): Promise<void> {
  for (let look = 0; look < 6; look++) {
    const mark = oracle.mark()
    oracle.check(`${name} ${look}`, mark, await open().read())
  }
}

async function finish(log: Log, oracle: LogOracle): Promise<void> {
  oracle.check('the last reader', oracle.mark(), await log.read())
  const lease = await log.claim({ takeOver: true })
  oracle.check('the last owner', oracle.mark(), lease.contents)
  const group = logGroup((lease.contents.groups.at(-1)?.at(-1)?.seq ?? -1) + 1, 2, 'z')
  await lease.append(group)
  oracle.acknowledge(group)
  oracle.check('the reader of the last owner', oracle.mark(), await log.read())
}

/** The code of a refused append. Storage of a test may fail; what it refused then may be in the log or not. */
function refusal(error: unknown): string {
  requireCode('lease_lost', 'storage_failed')(error)
  return error instanceof TenonError ? error.code : ''
}

const requireCode =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof TenonError) || !codes.includes(error.code)) throw error
  }

function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${causes(error.cause)}\n${error.message}`
}
