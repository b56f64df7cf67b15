// A session without a loop: its log is an array, the test says what is appended and what streams. For front ends.
import { createHash } from 'node:crypto'
import type { Sender, Session } from '@tenon/core'
import { createFold, emptyRun, isResting, type RunState } from '@tenon/projections'
import {
  type Command,
  canonicalJson,
  createIdGenerator,
  type Draft,
  defaultSettings,
  type Event,
  type EventId,
  eventKinds,
  type Live,
  type Outcome,
  type SessionId,
} from '@tenon/protocol'

export interface MemorySession extends Session {
  /** Stamps and stores one group, then wakes readers; the events as stored. */
  append(...drafts: readonly Draft[]): readonly Event[]
  emit(fragment: Live): void
  /** Those who say that they can answer asks, now. */
  answerers(): number
  /** The session failed: readers end, every later command rejects with `error`. */
  fail(error: Error): void
}

export interface MemorySessionOptions {
  readonly id?: SessionId
  readonly now?: () => number
  /** What a command appends; the default stores `open` and `send` and refuses nothing. */
  readonly decide?: (command: Command, state: RunState) => readonly Draft[] | Extract<Outcome, { accepted: false }>
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

export function createMemorySession(options: MemorySessionOptions = {}): MemorySession {
  const { id = 'ses_memory', now = () => 1_700_000_000_000, decide = decideSimply } = options
  const fold = createFold(hash)
  const nextId = createIdGenerator(now, () => 0.5)
  const events: Event[] = []
  const outcomes = new Map<string, { body: string; outcome: Outcome }>()
  const waiting = new Set<() => void>()
  const listeners = new Set<(fragment: Live) => void>()
  const partial = new Map<string, Extract<Live, { n: number }>>()
  const answerers = new Set<AbortSignal>()
  let state: RunState = emptyRun
  let ended = false
  let failure: Error | undefined

  const wake = () => {
    for (const look of [...waiting]) look()
  }

  const append: MemorySession['append'] = (...drafts) => {
    const ids = drafts.map((): EventId => `ev_${nextId()}`)
    const group = drafts.map((draft, i) => {
      const branch = eventKinds[draft.type].branch
      const parent = branch ? { parent: state.head?.id ?? null } : {}
      const text = JSON.stringify({ ...draft, v: 1, seq: events.length, id: ids[i], at: now(), ...parent })
      const resolved = text.replaceAll(/ev_@(\d+)/g, (_, n) => ids[Number(n)] ?? '')
      // The cast joins what the union's members are made of: a draft and its stamp.
      const event = JSON.parse(resolved) as Event
      events.push(event)
      state = fold(state, event)
      if (event.type === 'message.added') forget(event.id)
      if (event.type === 'tool.finished') forget(event.ref.call)
      return event
    })
    wake()
    return group
  }

  const forget = (owner: string) => {
    for (const key of partial.keys()) if (key.startsWith(`${owner}/`)) partial.delete(key)
  }

  const changed = (after: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (events.length - 1 <= after && !signal.aborted && !ended) return
        waiting.delete(look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      waiting.add(look)
      signal.addEventListener('abort', look)
      look()
    })

  const perform = (command: Command, sender: Sender): Outcome => {
    const decision = decide(command, state)
    if ('accepted' in decision) return decision
    if (command.dryRun) return { accepted: true, seq: null, events: decision }
    const cause = command.id === undefined ? {} : { cause: command.id }
    const stored = append(...decision.map((draft) => ({ ...draft, ...cause, ...sender })))
    const [first, last] = [stored[0], stored.at(-1)]
    return { accepted: true, seq: first && last ? [first.seq, last.seq] : null }
  }

  return {
    id,
    append,
    state: () => state,
    durable: () => events.length - 1,
    answerers: () => [...answerers].filter((signal) => !signal.aborted).length,
    command: async (command, sender) => {
      if (failure) throw failure
      const known = command.id === undefined ? undefined : outcomes.get(command.id)
      const body = canonicalJson(command)
      if (known) return known.body === body ? known.outcome : mismatch
      const outcome = perform(command, sender)
      if (command.id !== undefined && !command.dryRun) outcomes.set(command.id, { body, outcome })
      return outcome
    },
    read: async (from, to) => events.slice(from, Math.min(to + 1, from + 500)),
    changed,
    live: (signal) => listen(listeners, signal),
    partial: () => [...partial.values()],
    emit: (fragment) => {
      if (fragment.type === 'message.dropped') forget(fragment.message)
      if ('n' in fragment) {
        const key =
          fragment.type === 'message.delta'
            ? `${fragment.message}/${fragment.part}`
            : `${fragment.ref.call}/${fragment.stream}`
        partial.set(key, { ...fragment, text: (partial.get(key)?.text ?? '') + fragment.text })
      }
      for (const tell of listeners) tell(fragment)
    },
    attachAnswerer: (signal) => void answerers.add(signal),
    rest: async (signal) => {
      if (failure) throw failure
      while (!signal.aborted && !isResting(state)) {
        await changed(state.seq, signal)
      }
    },
    fail: (error) => {
      failure = error
      ended = true
      wake()
    },
    close: async () => {
      ended = true
      wake()
    },
  }
}

async function* listen(listeners: Set<(fragment: Live) => void>, signal: AbortSignal): AsyncGenerator<Live> {
  const pending: Live[] = []
  let wake = () => {}
  const tell = (fragment: Live) => {
    pending.push(fragment)
    if (pending.length > 1000) pending.shift()
    wake()
  }
  const stop = () => wake()
  listeners.add(tell)
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      const fragment = pending.shift()
      if (fragment) yield fragment
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    listeners.delete(tell)
    signal.removeEventListener('abort', stop)
  }
}

function decideSimply(command: Command, state: RunState): readonly Draft[] {
  if (command.command === 'open')
    return state.session ? [] : [openedDraft(command.session ?? 'ses_memory', command.cwd)]
  if (command.command !== 'send') return []
  return [
    { type: 'message.queued', by: 'person', parts: command.parts, delivery: 'steer' },
    { type: 'run.requested', by: 'person', reason: 'send', queued: 'ev_@0' },
  ]
}

/** The first event of a session's log. */
export const openedDraft = (session: SessionId, cwd = '/work'): Draft => ({
  type: 'session.opened',
  by: 'person',
  session,
  cwd,
  project: cwd,
  agent: defaultSettings.agent,
  model: defaultSettings.model,
  mode: defaultSettings.mode,
  tags: {},
  host: { os: 'test', version: '0' },
})

const mismatch: Outcome = {
  accepted: false,
  refusal: {
    code: 'idempotency_mismatch',
    message: 'This command id was used for another command.',
    action: 'Use a new id.',
    retryable: false,
  },
}
