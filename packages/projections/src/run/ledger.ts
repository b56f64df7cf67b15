// The half that is folded from the ledger: runs, wishes, queue, asks, attempts, settings, money.
import { addUsage, type Event, type EventOf, type SettingKey, settingSchemas, verdictKeys } from '@tenon/protocol'
import { changeCall, judgeCall } from './batch.ts'
import { moveHead } from './move.ts'
import type { Failures, OpenRun, RunState } from './state.ts'

/** The state after one ledger event; unknown types change nothing. */
export function foldLedger(state: RunState, event: Event): RunState {
  switch (event.type) {
    case 'session.configured':
      return configure(state, event)
    case 'head.moved':
      return moveHead(state, event)
    case 'run.requested':
      return {
        ...state,
        requests: [...state.requests, { id: event.id, reason: event.reason, queued: event.queued ?? null }],
      }
    case 'run.started':
      return startRun(state, event)
    case 'run.stopping':
      return event.run
        ? { ...state, run: withRun(state, { stopping: event.how }), requests: [] }
        : { ...state, requests: [], halted: event.how }
    case 'run.ended':
      return endRun(state, event)
    case 'effect.ended':
      return { ...state, ended: [...state.ended, { key: event.key, failure: event.failure?.message ?? null }] }
    case 'message.queued': {
      const chars = event.parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 1000), 0)
      const message = { id: event.id, parts: event.parts, delivery: event.delivery, chars }
      return { ...state, queue: [...state.queue, message], halted: null }
    }
    case 'message.withdrawn':
      return spendMessage(state, event.queued)
    case 'model.started':
      return { ...state, attempts: [...state.attempts, toAttempt(event)] }
    case 'model.finished':
      return finishModel(state, event)
    case 'model.failed':
      return failModel(state, event)
    case 'tool.judged':
      return { ...state, batch: changeCall(state.batch, event.ref, (call) => judgeCall(call, event, state.verdicts)) }
    case 'ask.opened':
      return openAsk(state, event)
    case 'ask.closed':
      return closeAsk(state, event)
    default:
      return state
  }
}

const withRun = (state: RunState, change: Partial<OpenRun>): OpenRun | null => state.run && { ...state.run, ...change }

function configure(state: RunState, event: EventOf<'session.configured'>): RunState {
  const known = Object.entries(event.set).filter(([key]) => Object.hasOwn(settingSchemas, key))
  const stale = verdictKeys.some((key: SettingKey) => Object.hasOwn(event.set, key))
  return {
    ...state,
    settings: { ...state.settings, ...Object.fromEntries(known) },
    verdicts: stale ? state.verdicts + 1 : state.verdicts,
  }
}

function startRun(state: RunState, event: EventOf<'run.started'>): RunState {
  const request = state.requests.find(({ id }) => id === event.request)
  const again = request?.reason === 'run' && state.last?.outcome === 'limit'
  const run: OpenRun = {
    id: event.id,
    startedAt: event.at,
    stopping: null,
    turns: 0,
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
    nanoUsd: 0,
    unpriced: 0,
    denials: [],
    final: null,
    restedMs: 0,
  }
  const base = again ? { person: state.branch.person, turns: state.branch.turns, spent: state.spent } : state.base
  return { ...state, run, base, requests: [], ended: [], failures: null, halted: null, runs: state.runs + 1 }
}

function endRun(state: RunState, event: EventOf<'run.ended'>): RunState {
  return {
    ...state,
    run: null,
    spent: { ...state.spent, ms: state.spent.ms + event.ms },
    last: { outcome: event.outcome, row: event.row, seq: event.seq },
    pass: { budget: null, loop: null },
  }
}

/** A message left the queue: its request is spent. */
export const spendMessage = (state: RunState, queued: string): RunState => ({
  ...state,
  queue: state.queue.filter(({ id }) => id !== queued),
  requests: state.requests.filter((request) => request.queued !== queued),
})

const toAttempt = (event: EventOf<'model.started'>) => ({
  id: event.id,
  purpose: event.purpose,
  message: event.message,
  model: event.model,
  try: event.try,
  windDown: event.windDown ?? false,
  requestHash: event.requestHash,
  startedAt: event.at,
})

const endAttempt = (state: RunState, attempt: string): RunState => ({
  ...state,
  attempts: state.attempts.filter(({ id }) => id !== attempt),
})

function finishModel(state: RunState, event: EventOf<'model.finished'>): RunState {
  const ended = endAttempt(spend(state, event), event.attempt)
  const final = state.branch.reply?.id ?? null
  return {
    ...ended,
    failures: null,
    pass: { budget: ended.pass.budget === 'once' ? null : ended.pass.budget, loop: null },
    run: ended.run && { ...ended.run, turns: ended.run.turns + 1, final },
  }
}

function failModel(state: RunState, event: EventOf<'model.failed'>): RunState {
  const failed = event.failure.class ?? 'internal'
  const before = state.failures
  const failures: Failures = {
    class: failed,
    count: before?.class === failed ? before.count + 1 : 1,
    total: (before?.total ?? 0) + 1,
    at: event.at,
    roll: event.roll,
    retryAfter: event.retryAfter ?? 0,
    message: event.failure.message,
  }
  return { ...endAttempt(spend(state, event), event.attempt), failures }
}

function spend(state: RunState, event: EventOf<'model.finished'> | EventOf<'model.failed'>): RunState {
  const { usage } = event
  if (!usage) return state
  const priced = event.cost?.nanoUsd ?? 0
  const unpriced = event.cost?.nanoUsd == null ? 1 : 0
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output
  const { spent, run } = state
  return {
    ...state,
    spent: {
      usage: addUsage(spent.usage, usage),
      tokens: spent.tokens + tokens,
      nanoUsd: spent.nanoUsd + priced,
      unpriced: spent.unpriced + unpriced,
      ms: spent.ms,
    },
    run: run && {
      ...run,
      usage: addUsage(run.usage, usage),
      nanoUsd: run.nanoUsd + priced,
      unpriced: run.unpriced + unpriced,
    },
  }
}

function openAsk(state: RunState, event: EventOf<'ask.opened'>): RunState {
  const ask = {
    id: event.id,
    kind: event.kind,
    ref: event.ref ?? null,
    title: event.title,
    options: event.options.map(({ id }) => id),
    rules: event.rules,
    questions: event.questions?.length ?? 0,
    openedAt: event.at,
    expiresAt: event.expiresAt ?? null,
  }
  const batch = event.ref
    ? changeCall(state.batch, event.ref, (call) => ({ ...call, state: 'asked', ask: event.id }))
    : state.batch
  return { ...state, asks: [...state.asks, ask], batch }
}

function closeAsk(state: RunState, event: EventOf<'ask.closed'>): RunState {
  const ask = state.asks.find(({ id }) => id === event.ask)
  if (!ask) return state
  const asks = state.asks.filter((other) => other !== ask)
  const rested = asks.length === 0 ? Math.max(0, event.at - ask.openedAt) : 0
  const batch = ask.ref ? changeCall(state.batch, ask.ref, (call) => reopen(call, event)) : state.batch
  const run = state.run && { ...state.run, restedMs: state.run.restedMs + rested }
  return { ...state, asks, batch, run, pass: answerPass(state.pass, ask.kind, event) }
}

/** An edited call is judged again, as approved by a person; what else follows an answer is an event of its own. */
function reopen(call: NonNullable<RunState['batch']>['calls'][number], event: EventOf<'ask.closed'>) {
  const edited = event.answer?.input
  if (call.state !== 'asked') return { ...call, ask: null }
  if (edited === undefined) return { ...call, ask: null }
  return { ...call, ask: null, state: 'unjudged' as const, judged: null, approved: true, input: edited }
}

function answerPass(pass: RunState['pass'], kind: string, event: EventOf<'ask.closed'>): RunState['pass'] {
  const option = event.how === 'answered' ? event.answer?.options[0] : event.how === 'expired' ? 'default' : undefined
  if (kind === 'budget') {
    const budget =
      option === 'once' || option === 'stop'
        ? option
        : option === 'wind-down' || option === 'default'
          ? 'wind-down'
          : pass.budget
    return { ...pass, budget }
  }
  if (kind !== 'loop') return pass
  return {
    ...pass,
    loop: option === 'allow' ? 'allow' : option === 'stop' || option === 'default' ? 'stop' : pass.loop,
  }
}
