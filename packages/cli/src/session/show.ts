// `tenon session show`: what a session is and how it stands, folded from its log.
import { sha256 } from '@tenon/host'
import { createFold, emptyRun, status } from '@tenon/projections'
import type { Event } from '@tenon/protocol'
import { type FlagTable, parseFlags } from '../args/parse.ts'
import { textOf } from '../format/report.ts'
import { oneSession } from './arguments.ts'
import { isOwned, load, say, sayJson } from './stored.ts'

const flags = { json: { names: ['--json'], help: 'One JSON object.' } } as const satisfies FlagTable

export async function show(args: readonly string[]): Promise<number> {
  const { flags: given, words } = parseFlags(flags, args)
  const { stored, events, contents } = await load(oneSession(words, 'show ID'))
  const state = events.reduce(createFold(sha256), emptyRun)
  const last = events.findLast(
    (event): event is Extract<Event, { type: 'message.added' }> =>
      event.type === 'message.added' && event.role === 'assistant',
  )
  const { settings, spent, asks, session } = state
  const facts = {
    id: stored.id,
    title: settings.title,
    status: status(state, await isOwned(stored)),
    cwd: session?.cwd ?? '',
    model: settings.model,
    mode: settings.mode,
    openedAt: session?.openedAt ?? 0,
    events: events.length,
    runs: state.runs,
    messages: count(events, 'message.added'),
    calls: count(events, 'tool.finished'),
    usage: spent.usage,
    cost: { nanoUsd: spent.nanoUsd, unpriced: spent.unpriced },
    asks: asks.map(({ id, kind, title, options }) => ({ id, kind, title, options })),
    last: last ? textOf(last) : null,
    outcome: state.last?.outcome ?? null,
    failure: failureOf(events),
    notices: contents.notices,
    whole: contents.whole,
    dir: stored.dir,
  }
  if (given.json) sayJson(facts)
  else for (const line of toLines(facts)) say(line)
  return 0
}

/** Why the newest run ended as it did, with the next step. */
function failureOf(events: readonly Event[]): string | null {
  const ended = events.findLast((event) => event.type === 'run.ended')
  return ended?.failure ? `${ended.failure.message} ${ended.failure.action}` : null
}

const count = (events: readonly Event[], type: Event['type']): number =>
  events.filter((event) => event.type === type).length

function toLines(facts: {
  readonly id: string
  readonly title: string | null
  readonly status: string
  readonly cwd: string
  readonly model: string
  readonly mode: string
  readonly openedAt: number
  readonly events: number
  readonly runs: number
  readonly messages: number
  readonly calls: number
  readonly usage: { readonly input: number; readonly output: number }
  readonly cost: { readonly nanoUsd: number; readonly unpriced: number }
  readonly asks: readonly { readonly id: string; readonly title: string; readonly options: readonly string[] }[]
  readonly last: string | null
  readonly failure: string | null
  readonly notices: readonly { readonly text: string }[]
  readonly dir: string
}): readonly string[] {
  const { cost, usage } = facts
  const money =
    cost.unpriced > 0
      ? `≥ $${(cost.nanoUsd / 1e9).toFixed(4)}, ${cost.unpriced} unpriced`
      : `$${(cost.nanoUsd / 1e9).toFixed(4)}`
  return [
    `${facts.id}${facts.title ? `  ${facts.title}` : ''}`,
    `status   ${facts.status}`,
    ...(facts.failure ? [`why      ${facts.failure}`] : []),
    `folder   ${facts.cwd}`,
    `model    ${facts.model}, mode ${facts.mode}`,
    `opened   ${new Date(facts.openedAt).toISOString()}`,
    `counts   ${facts.events} events, ${facts.runs} runs, ${facts.messages} messages, ${facts.calls} results`,
    `cost     ${money}; ${usage.input} tokens in, ${usage.output} out`,
    `log      ${facts.dir}`,
    ...facts.notices.map(({ text }) => `notice   ${text}`),
    ...facts.asks.map(
      ({ id, title, options }) =>
        `asked    ${title}\n         tenon session answer ${facts.id} ${id} ${options.join('|')}`,
    ),
    ...(facts.last ? ['', facts.last] : []),
  ]
}
