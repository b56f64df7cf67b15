// Computes each decision of the loop again: at every durable prefix `next` must yield exactly the facts that the log holds
// there, or rest, and then what follows must come from outside: a command, the end of an effect that was asked for, a
// recovery. Replies and results are taken from the log. Pure; proves that this build decides as the one that wrote the log.
import { type Answerer, type Effect, next, recover } from '@tenon/core'
import { createFold, emptyRun, findCall, type RunState } from '@tenon/projections'
import { canonicalJson, type Draft, type Event, type Hash, placeOf } from '@tenon/protocol'

type Group = readonly Event[]

export interface Checked {
  /** Groups that are decisions of the loop, computed again · groups from outside. */
  readonly decided: number
  readonly outside: number
  readonly differences: readonly { readonly seq: number; readonly text: string }[]
}

/** Who could answer at that moment is not in the log: any of the three may have been the case. */
const answerers: readonly Answerer[] = ['none', 'some', 'stop']

export function checkDecisions(groups: readonly Group[], hash: Hash): Checked {
  const fold = createFold(hash)
  const differences: { seq: number; text: string }[] = []
  let decided = 0
  let outside = 0
  let state = emptyRun
  for (const group of groups) {
    const [first] = group
    if (!first) continue
    const steps = answerers.map((answerer) => next(state, { now: first.at, answerer, hash, version: versionOf(group) }))
    const effects = steps.flatMap((step) => step.effects)
    const rests = steps.some((step) => step.facts.length === 0)
    if (steps.some((step) => step.facts.length > 0 && isSame(step.facts, group))) decided++
    else if (isRecovery(state, group) || (rests && isOutside(state, group, effects))) outside++
    else
      differences.push({
        seq: first.seq,
        text: describe(group, steps.find((step) => step.facts.length > 0) ?? steps[0]),
      })
    state = group.reduce(fold, state)
  }
  return { decided, outside, differences }
}

const versionOf = (group: Group): string =>
  group.find((event): event is Extract<Event, { type: 'run.started' }> => event.type === 'run.started')?.version ?? ''

const typesOf = (group: readonly { readonly type: string }[]): string => group.map(({ type }) => type).join(', ')

const describe = (
  group: Group,
  step: { readonly row: string; readonly facts: readonly Draft[] } | undefined,
): string =>
  step && step.facts.length > 0
    ? `the row "${step.row}" gives ${typesOf(step.facts)}; the log holds ${typesOf(group)}`
    : `nobody asked for ${typesOf(group)} here`

/** Of an event: what append stamps, and what depends on the clock and the dice. */
const stamped = ['v', 'seq', 'id', 'parent', 'more', 'at', 'cause', 'actor', 'client', 'from', 'ms', 'roll']

function isSame(facts: readonly Draft[], group: Group): boolean {
  if (facts.length !== group.length) return false
  return facts.every((draft, i) => {
    const stored = group[i]
    return stored !== undefined && bodyOf(draft, stored, group) === bodyOf(stored, stored, group)
  })
}

/** Canonical body; places of the group are resolved, ids that append made are taken from the stored event. */
function bodyOf(value: Draft | Event, stored: Event, group: Group): string {
  const made: Readonly<Record<string, unknown>> = { ...stored }
  const fields = Object.entries(value)
    .filter(([key]) => !stamped.includes(key))
    .map(([key, field]) => {
      if (typeof field !== 'string' || !field.startsWith('ev_@')) return [key, field]
      const place = placeOf(field)
      return [key, place === undefined ? made[key] : group[place]?.id]
    })
  return canonicalJson(Object.fromEntries(fields))
}

/** What an opener appends before its first decision: the recovery, and the build that owns the session now. */
function isRecovery(state: RunState, group: Group): boolean {
  const [first] = group
  const facts = recover(state, first?.at ?? 0, 0)
  const rest = group.slice(facts.length)
  const isBuild = rest.every((event) => event.type === 'session.configured' && event.source === 'harness')
  return group.length > 0 && rest.length <= 1 && isBuild && isSame(facts, group.slice(0, facts.length))
}

/** A command, or the end of an effect that is open at this moment. */
function isOutside(state: RunState, group: Group, effects: readonly Effect[]): boolean {
  const [first] = group
  if (!first) return false
  if (first.by === 'person' || (first.type === 'run.stopping' && first.by === 'harness')) return true
  return group.every((event) => isEnd(state, event, effects))
}

function isEnd(state: RunState, event: Event, effects: readonly Effect[]): boolean {
  switch (event.type) {
    case 'message.added':
    case 'model.finished':
    case 'model.failed':
      return state.attempts.some(({ id }) => id === event.attempt)
    case 'context.set':
      return effects.some(({ type }) => type === 'gather')
    case 'effect.ended':
      return effects.some(({ key }) => key === event.key)
    case 'file.changed':
    case 'todos.changed':
      return state.batch !== null || event.type === 'file.changed'
    case 'ask.closed':
      return state.asks.some(({ id }) => id === event.ask)
    case 'tool.judged':
    case 'tool.finished':
    case 'ask.opened':
      return event.ref !== undefined && isOpenCall(state, event.ref, effects)
    default:
      return false
  }
}

function isOpenCall(state: RunState, ref: Parameters<typeof findCall>[1], effects: readonly Effect[]): boolean {
  if (findCall(state.batch, ref)?.state === 'running') return true
  return effects.some(
    (effect) => 'call' in effect && effect.call.ref.call === ref.call && effect.call.ref.message === ref.message,
  )
}
