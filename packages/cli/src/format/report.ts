// What a run came to: a fold over the events from a person's message to the end of its run. The base of every result line.
import type { CallRef, DecidedBy, Event, EventOf, Failure, Json, Usage } from '@tenon/protocol'
import { addUsage, emptyUsage } from '@tenon/protocol'

interface Denial {
  readonly ref: CallRef
  readonly input: Json
  readonly reason: string
  readonly decidedBy: DecidedBy
}

interface ModelBill {
  readonly usage: Usage
  /** Integer nano-dollars; `null` once an attempt had no known price. */
  readonly nanoUsd: number | null
}

export interface Report {
  readonly ended: EventOf<'run.ended'> | null
  /** Text of the newest reply. */
  readonly text: string
  readonly stopReason: string | null
  readonly turns: number
  readonly usage: Usage
  readonly nanoUsd: number | null
  readonly apiMs: number
  readonly models: Readonly<Record<string, ModelBill>>
  readonly denials: readonly Denial[]
  /** An ask was open with nobody to answer it. */
  readonly unanswered: boolean
  readonly asks: readonly EventOf<'ask.opened'>[]
  /** Attempt → model, while it is open. */
  readonly attempts: Readonly<Record<string, string>>
}

export const emptyReport: Report = {
  ended: null,
  text: '',
  stopReason: null,
  turns: 0,
  usage: emptyUsage,
  nanoUsd: 0,
  apiMs: 0,
  models: {},
  denials: [],
  unanswered: false,
  asks: [],
  attempts: {},
}

export function foldReport(report: Report, event: Event): Report {
  switch (event.type) {
    case 'message.added':
      return event.role === 'assistant'
        ? { ...report, text: textOf(event), stopReason: event.finish ?? null, turns: report.turns + 1 }
        : report
    case 'model.started':
      return { ...report, attempts: { [event.id]: event.model } }
    case 'model.finished':
    case 'model.failed':
      return bill(report, event)
    case 'tool.judged':
      if (event.verdict !== 'deny') return report
      return {
        ...report,
        denials: [...report.denials, toDenial(event)],
        unanswered: report.unanswered || event.decidedBy.stage === 'noAnswerer',
      }
    case 'ask.opened':
      return { ...report, asks: [...report.asks, event] }
    case 'ask.closed': {
      const asks = report.asks.filter(({ id }) => id !== event.ask)
      return { ...report, asks, unanswered: report.unanswered || event.how === 'expired' }
    }
    case 'run.ended':
      return { ...report, ended: event }
    default:
      return report
  }
}

export const textOf = (event: EventOf<'message.added'>): string =>
  event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')

const toDenial = ({ ref, input, reasons, decidedBy }: EventOf<'tool.judged'>): Denial => ({
  ref,
  input,
  reason: reasons.join('; '),
  decidedBy,
})

function bill(report: Report, event: EventOf<'model.finished'> | EventOf<'model.failed'>): Report {
  const { usage, cost } = event
  const apiMs = report.apiMs + (event.type === 'model.finished' ? event.ms : 0)
  if (!usage) return { ...report, apiMs }
  const model = report.attempts[event.attempt] ?? 'unknown'
  const before = report.models[model] ?? { usage: emptyUsage, nanoUsd: 0 }
  const price = cost?.nanoUsd ?? null
  return {
    ...report,
    apiMs,
    usage: addUsage(report.usage, usage),
    nanoUsd: sum(report.nanoUsd, price),
    models: {
      ...report.models,
      [model]: { usage: addUsage(before.usage, usage), nanoUsd: sum(before.nanoUsd, price) },
    },
  }
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

/** What went wrong, for every ending that is no success. */
export function failureOf(
  { ended, asks, unanswered, denials }: Report,
  session: string,
  strict: boolean,
): Failure | undefined {
  if (!ended) return undefined
  const again = `tenon -r ${session}`
  if (ended.failure) return ended.failure
  const say = (code: Failure['code'], message: string, action: string): Failure => ({
    code,
    message,
    action,
    retryable: true,
  })
  switch (ended.outcome) {
    case 'limit':
      return say(
        'limit',
        `The ${ended.limit ?? 'turns'} limit was reached.`,
        `Go on with \`${again}\`; the limit is granted afresh.`,
      )
    case 'stuck':
      return say(
        'stuck',
        'The agent repeated itself without getting further.',
        `Give it another direction: \`${again} -p "…"\`.`,
      )
    case 'refused':
      return say('refused', 'The model refused.', 'Rephrase the request, or use another model.')
    case 'asked': {
      const [ask, ...others] = asks
      const what = asks.length === 1 ? 'A question waits' : `${asks.length} questions wait`
      const answer = `tenon session answer ${session} ${ask?.id ?? 'ASK'} ${ask?.options[0]?.id ?? 'OPTION'}`
      const rest = others.length > 0 ? ` Then ${others.map(({ id }) => id).join(', ')}.` : ''
      const titles = asks.map(({ title }) => title).join(' ')
      return say('ask_none', `${what} for an answer: ${titles}`, `Answer with \`${answer}\`.${rest}`)
    }
    case 'paused':
    case 'interrupted':
      return say('interrupted', `The run was ${ended.outcome}.`, `Go on with \`${again}\`.`)
    case 'failed':
      return say('internal', 'The run failed.', `Look at it with \`tenon session events ${session}\`.`)
    case 'done':
      if (ended.finish === 'blocked' || ended.finish === 'failed')
        return say(
          'tool_failed',
          `The agent reported that the task ${ended.finish === 'blocked' ? 'is blocked' : 'failed'}.`,
          `Read its answer, then go on with \`${again} -p "…"\`.`,
        )
      if (strict && unanswered)
        return say(
          'denied',
          `${denials.length === 1 ? '1 call was' : `${denials.length} calls were`} denied because nobody could approve them.`,
          'Allow them with --allowedTools, or leave out --strict-permissions.',
        )
      return undefined
  }
}
