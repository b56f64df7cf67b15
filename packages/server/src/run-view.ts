// The run projection as JSON: what front ends show of a session, without the bodies and trees that `next` needs.
import { type OpenAsk, type RunState, status } from '@tenon/projections'
import type { AskView, RunView, SessionId, SessionSummary } from '@tenon/protocol'

/** @param live whether a living owner holds the lease; true for every session of this process */
export function toRunView(id: SessionId, state: RunState, live: boolean): RunView {
  const { run, session, spent } = state
  return {
    session: id,
    seq: state.seq,
    head: state.head?.id ?? null,
    status: status(state, live),
    cwd: session?.cwd ?? '',
    project: session?.project ?? '',
    openedAt: session?.openedAt ?? 0,
    run: run && {
      id: run.id,
      startedAt: run.startedAt,
      stopping: run.stopping,
      turns: run.turns,
      usage: run.usage,
      cost: { nanoUsd: run.nanoUsd, unpriced: run.unpriced },
    },
    asks: state.asks.map(toAskView),
    queue: state.queue.map(({ id, delivery, chars, parts }) => ({ id, delivery, chars, text: preview(parts) })),
    settings: { ...state.settings },
    usage: spent.usage,
    cost: { nanoUsd: spent.nanoUsd, unpriced: spent.unpriced },
    last: state.last && { outcome: state.last.outcome, row: state.last.row, seq: state.last.seq },
    runs: state.runs,
  }
}

export const toAskView = (ask: OpenAsk): AskView => ({
  id: ask.id,
  kind: ask.kind,
  ref: ask.ref,
  title: ask.title,
  options: ask.options,
  rules: ask.rules,
  questions: ask.questions,
  openedAt: ask.openedAt,
  expiresAt: ask.expiresAt,
})

/** The first 200 characters of a waiting message: enough to recognise and withdraw it. */
const preview = (parts: RunState['queue'][number]['parts']): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join(' ')
    .slice(0, 200)

export function toSummary(id: SessionId, state: RunState, live: boolean): SessionSummary {
  const { session, settings, spent } = state
  return {
    id,
    title: settings.title,
    cwd: session?.cwd ?? '',
    project: session?.project ?? '',
    status: status(state, live),
    seq: state.seq,
    openedAt: session?.openedAt ?? 0,
    model: settings.model,
    agent: settings.agent,
    mode: settings.mode,
    cost: { nanoUsd: spent.nanoUsd, unpriced: spent.unpriced },
    asks: state.asks.length,
  }
}
