// answer: the first one wins. It closes the ask, settles what hung on it, and asks for a run if none is open.
import { findCall, type OpenAsk, type RunState } from '@tenon/projections'
import type { Answer, CommandOf, Draft, EventId } from '@tenon/protocol'
import { deniedResult, finished } from '../next/close.ts'
import { accept, type Decision, refuse } from './decision.ts'

export function decideAnswer(state: RunState, command: CommandOf<'answer'>): Decision {
  const ask = state.asks.find(({ id }) => id === command.ask)
  if (!ask) return refuseUnknown(command.ask)
  const { command: _, id: __, dryRun: ___, ask: ____, ...answer } = command
  const problem = answerProblem(ask, answer)
  if (problem) return refuse('bad_answer', problem, `Answer with one of: ${ask.options.join(', ') || 'answers[]'}.`)
  const remember = answer.always && { rules: answer.always.rules, scope: answer.always.scope }
  const closed: Draft = {
    type: 'ask.closed',
    by: 'person',
    ask: ask.id,
    how: 'answered',
    answer,
    ...(remember && { remember }),
  }
  const effects = [...settle(state, ask, answer), ...remembered(state, answer)]
  const wish: Draft[] = state.run || answer.stop ? [] : [{ type: 'run.requested', by: 'person', reason: 'answer' }]
  return accept(closed, ...effects, ...wish)
}

/** Closed asks are not kept in state: who answered stands in the log's `ask.closed`. */
const refuseUnknown = (ask: EventId): Decision =>
  refuse(
    'ask_closed',
    `The ask ${ask} is not open: it was answered, or its call is over.`,
    'Look at `tenon session events --type ask.closed`.',
    { ask },
  )

function answerProblem(ask: OpenAsk, answer: Answer): string | undefined {
  if (ask.kind === 'question') {
    const given = answer.answers?.length ?? 0
    return given === ask.questions ? undefined : `${ask.questions} questions were asked, ${given} answers[] given`
  }
  const [option, ...more] = answer.options
  if (!option || more.length > 0) return `options[] must hold exactly one option, it holds ${answer.options.length}`
  if (!ask.options.includes(option)) return `"${option}" is not an option`
  if (ask.kind === 'loop' && option === 'advise' && !answer.text?.trim()) return 'advise needs text'
  if (ask.kind === 'budget' && option === 'raise' && raisedLimits(answer) === undefined)
    return 'raise needs input: limits with positive numbers'
  return undefined
}

/** The events that settle what the ask was about. */
function settle(state: RunState, ask: OpenAsk, answer: Answer): Draft[] {
  if (ask.kind === 'permission') return settlePermission(state, ask, answer)
  if (ask.kind === 'question') return settleQuestion(state, ask, answer)
  if (ask.kind === 'budget' && answer.options[0] === 'raise') {
    const set = raisedLimits(answer) ?? {}
    const was = Object.fromEntries(
      Object.keys(set).map((key) => [key, (state.settings as Record<string, unknown>)[key] as number | null]),
    )
    return [{ type: 'session.configured', by: 'person', set, was, source: 'answer' }]
  }
  if (ask.kind === 'loop' && answer.options[0] === 'advise') {
    return [
      { type: 'message.queued', by: 'person', parts: [{ type: 'text', text: answer.text ?? '' }], delivery: 'steer' },
    ]
  }
  return []
}

function settlePermission(state: RunState, ask: OpenAsk, answer: Answer): Draft[] {
  const call = ask.ref && findCall(state.batch, ask.ref)
  if (!ask.ref || !call?.judged) return []
  const allowed = answer.options[0] === 'allow'
  // An edited call is judged again (the fold reopens it), so it gets no verdict here.
  if (allowed && answer.input !== undefined) return []
  const { judged } = call
  const verdict: Draft = {
    type: 'tool.judged',
    by: 'person',
    ref: ask.ref,
    verdict: allowed ? 'allow' : 'deny',
    decidedBy: { stage: 'person', id: ask.id },
    parts: judged.accesses.map((access) => ({ access, verdict: allowed ? 'allow' : 'deny', by: 'person' })),
    trail: [{ stage: 'person', verdict: allowed ? 'allow' : 'deny', id: ask.id }],
    reasons: answer.text ? [answer.text] : [],
    inputHash: judged.inputHash,
    input: judged.input,
    repairs: judged.repairs,
    kind: judged.kind,
    resources: judged.resources,
    timeoutMs: judged.timeoutMs,
  }
  if (allowed) return [verdict]
  const denied = deniedResult(
    ask.ref,
    `The user refused this call${answer.text ? `: ${answer.text}` : '.'}`,
    'Do not repeat it; choose another way or ask.',
  )
  const stop: Draft[] =
    answer.stop && state.run ? [{ type: 'run.stopping', by: 'person', run: state.run.id, how: 'interrupt' }] : []
  return [verdict, denied, ...stop]
}

function settleQuestion(_state: RunState, ask: OpenAsk, answer: Answer): Draft[] {
  if (!ask.ref) return []
  const lines = (answer.answers ?? []).map((entry, i) => {
    const chosen = [...entry.options, ...(entry.text ? [entry.text] : [])].join(', ')
    return `${i + 1}. ${chosen || '(no answer)'}`
  })
  const text = lines.join('\n')
  return [
    finished(ask.ref, {
      by: 'person',
      status: 'ok',
      unstarted: 'ask',
      content: [{ type: 'text', text }],
      structured: {
        answers: (answer.answers ?? []).map(({ options, text }) => ({ options, ...(text !== undefined && { text }) })),
      },
    }),
  ]
}

function remembered(state: RunState, answer: Answer): Draft[] {
  const rules = answer.always?.rules ?? []
  if (rules.length === 0) return []
  const key = answer.options[0] === 'deny' ? 'permissions.deny' : 'permissions.allow'
  const was = state.settings[key]
  return [
    {
      type: 'session.configured',
      by: 'person',
      set: { [key]: [...new Set([...was, ...rules])] },
      was: { [key]: was },
      source: 'answer',
    },
  ]
}

/** `limits.*` settings from the answer's input, or `undefined` when it holds none. */
function raisedLimits(answer: Answer): Record<string, number> | undefined {
  const input = answer.input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const entries = Object.entries(input).filter(
    (entry): entry is [string, number] =>
      ['turns', 'usd', 'tokens', 'minutes'].includes(entry[0]) && typeof entry[1] === 'number' && entry[1] > 0,
  )
  return entries.length === 0
    ? undefined
    : Object.fromEntries(entries.map(([name, value]) => [`limits.${name}`, value]))
}
