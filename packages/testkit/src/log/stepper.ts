// Runs several processes one storage call at a time, in an order drawn from a seed: freezes them, kills them anywhere.
import type { LogProcess } from './process.ts'

interface Turn {
  readonly actor: Actor
  readonly name: string
  readonly go: () => void
}

interface Actor {
  readonly name: string
  /** Not chosen before this step, unless nobody else can go on. */
  frozenUntil: number
  kill: () => void
}

export interface Stepper {
  /** Starts a process: it lives until `life` settles or it is killed. `mortal`: it may be killed at any step. */
  start(name: string, mortal: boolean, life: (process: LogProcess) => Promise<void>): void
  /** Resolves when no process lives any more; rejects with what a life threw, and the last steps before it. */
  run(): Promise<void>
}

/** Chances at each step: a process dies; it freezes for up to `longestFreeze` steps. */
const deathChance = 0.004
const freezeChance = 0.05
const longestFreeze = 200
/** How likely a process goes on rather than another: each run draws one, since some faults need long stretches alone. */
const stays = [0, 0.6, 0.9, 0.97]
const traceLength = 60

export function createStepper(random: () => number): Stepper {
  const trace: string[] = []
  let turns: Turn[] = []
  let busy = 0
  let living = 0
  let steps = 0
  let last: Actor | undefined
  const stay = stays[Math.floor(random() * stays.length)] ?? 0
  let failure: { readonly error: unknown } | undefined

  function createProcess(actor: Actor): LogProcess {
    return {
      random,
      call: async (name, act) => {
        await new Promise<void>((go) => turns.push({ actor, name, go }))
        busy++
        try {
          return await act()
        } finally {
          busy--
        }
      },
    }
  }

  /** Resolves when every living process waits for its turn: promises have run, no real call is under way. */
  async function settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (busy > 0)
  }

  function choose(): Turn | undefined {
    const ready = turns.filter(({ actor }) => actor.frozenUntil <= steps)
    const own = random() < stay ? ready.filter(({ actor }) => actor === last) : []
    const from = [own, ready, turns].find(({ length }) => length > 0) ?? []
    return from[Math.floor(random() * from.length)]
  }

  function step(mortals: ReadonlySet<Actor>): void {
    const turn = choose()
    if (!turn) throw new Error('every process waits, and none for storage')
    const { actor, name, go } = turn
    steps++
    last = actor
    trace.push(`${actor.name} ${name}`)
    if (mortals.has(actor) && random() < deathChance) {
      trace.push(`${actor.name} dies`)
      turns = turns.filter((other) => other.actor !== actor)
      actor.kill()
      return
    }
    if (random() < freezeChance) actor.frozenUntil = steps + Math.floor(random() * longestFreeze)
    turns = turns.filter((other) => other !== turn)
    go()
  }

  const mortals = new Set<Actor>()
  return {
    start(name, mortal, life) {
      living++
      const end = Promise.withResolvers<void>()
      const actor: Actor = { name, frozenUntil: 0, kill: end.resolve }
      if (mortal) mortals.add(actor)
      life(createProcess(actor)).then(end.resolve, (error: unknown) => {
        failure ??= { error }
        end.resolve()
      })
      void end.promise.then(() => living--)
    },
    async run() {
      await settle()
      while (living > 0 && !failure) {
        step(mortals)
        await settle()
      }
      if (failure) throw new Error(`after ${trace.slice(-traceLength).join(', ')}`, { cause: failure.error })
    },
  }
}
