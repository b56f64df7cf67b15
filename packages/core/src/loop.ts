// The loop: fold, ask `next`, append its facts, keep its effects running. Tip and durable meet here and nowhere else:
// decisions read the tip; whatever leaves the process waits until the seq it was decided on is durable.
import type { RunState } from '@tenon/projections'
import type { Draft, Event } from '@tenon/protocol'
import { type Alarm, createAlarm } from './alarm.ts'
import { appendGroup } from './append.ts'
import { admissible, endless, type LoopPorts } from './loop-ports.ts'
import { next } from './next/next.ts'
import type { Effect } from './next/step.ts'

const factsAtOnce = 1_000

export class Loop {
  readonly #ports: LoopPorts
  readonly #running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  #ended: string[] = []
  /** The newest state, durable or not: for decisions only. */
  tip: RunState
  #durable: Promise<void> = Promise.resolve()
  readonly #alarm: Alarm
  #stopped = false

  constructor(state: RunState, ports: LoopPorts) {
    this.tip = state
    this.#ports = ports
    this.#alarm = createAlarm(ports.sleep, () => this.turn())
  }

  /** Resolves when everything appended so far is durable. @throws what the lease threw */
  durable(): Promise<void> {
    return this.#durable
  }

  append(drafts: readonly Draft[]): readonly Event[] {
    if (this.#stopped || drafts.length === 0) return []
    const { events, state } = appendGroup(this.tip, drafts, this.#ports)
    this.tip = state
    const written = this.#ports.lease.append(events)
    this.#durable = Promise.all([this.#durable, written]).then(() => this.#ports.told(events, state))
    this.#durable.catch((error: unknown) => this.stop(error))
    return events
  }

  /** Looks at the tip until `next` rests; called after every append and at every alarm. */
  turn(): void {
    try {
      for (let i = 0; !this.#stopped; i++) {
        const step = next(this.tip, this.#ports.context())
        if (i > factsAtOnce) throw endless(step.row)
        if (this.append(step.facts).length > 0) continue
        this.#keep(step.effects, step.until)
        return
      }
    } catch (error) {
      this.stop(error)
    }
  }

  /** Aborts everything and takes nothing more. Begun effects are recorded by the next owner's recovery. */
  stop(error?: unknown): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#alarm.set(undefined)
    for (const { stop } of this.#running.values()) stop.abort()
    if (error !== undefined) this.#ports.failed(error)
  }

  /** Resolves when no effect runs any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #keep(effects: readonly Effect[], until: number | undefined): void {
    const wanted = new Set(effects.map(({ key }) => key))
    for (const [key, { stop }] of this.#running) if (!wanted.has(key)) stop.abort()
    for (const effect of effects) if (!this.#running.has(effect.key)) this.#start(effect)
    this.#alarm.set(until)
  }

  #start(effect: Effect): void {
    if (this.#ended.includes(effect.key)) throw endless(effect.key)
    const stop = new AbortController()
    const state = this.tip
    const done = this.#durable
      .then(() => (stop.signal.aborted && !effect.begun ? [] : this.#ports.perform(effect, state, stop.signal)))
      .then((drafts) => this.#end(effect, stop.signal.aborted && !effect.begun ? null : drafts))
      .catch((error: unknown) => this.stop(error))
    this.#running.set(effect.key, { stop, done })
  }

  /** `null` is the dropped result of a disposable effect: its key may start again. */
  #end(effect: Effect, drafts: readonly Draft[] | null): void {
    this.#running.delete(effect.key)
    if (drafts) this.#ended = [...this.#ended.slice(-99), effect.key]
    this.append(admissible(this.tip, effect, drafts ?? []))
    this.turn()
  }
}
