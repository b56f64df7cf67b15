// One simulated process that owns the session: its ports die with it.
import { type Lease, type Log, type ModelRequest, openSession, type Session } from '@tenon/core'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import { createSimModel } from './sim-model.ts'
import { createSimBlobs, createSimTools, createSimWorkspace, sha256, type World } from './world.ts'

export interface SimProcess {
  readonly session: Session
  readonly lease: Lease
  kill(): void
  /** Somebody to answer asks comes or goes. */
  setAnswerer(present: boolean): void
}

export async function startProcess(
  log: Log,
  world: World,
  random: Random,
  scheduler: Scheduler,
  { onAsk, stubborn }: { readonly onAsk: 'deny' | 'stop' | 'wait'; readonly stubborn: boolean },
  seen: (request: ModelRequest) => void,
): Promise<SimProcess> {
  const state = { alive: true }
  const alive = () => state.alive
  const clock = scheduler.processClock(alive)
  const lease = await log.claim({ takeOver: true })
  const model = createSimModel(world, random, clock, stubborn, seen)
  const session = await openSession(
    {
      log,
      clock,
      hash: sha256,
      blobs: createSimBlobs(),
      models: { resolve: async () => model },
      tools: createSimTools(world, clock, alive),
      workspace: createSimWorkspace(world, alive),
      context: { blocks: async () => [] },
      host: { os: 'sim', version: '0', home: '/home' },
      build: 'b1',
      onAsk,
    },
    lease,
  )
  let answerer: AbortController | undefined
  return {
    session,
    lease,
    kill: () => {
      state.alive = false
      world.holding.clear()
    },
    setAnswerer(present) {
      answerer?.abort()
      answerer = present ? new AbortController() : undefined
      if (answerer) session.attachAnswerer(answerer.signal)
    },
  }
}
