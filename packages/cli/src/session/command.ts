// Commands to a session from any terminal: through its owner's socket, or by owning it until it rests.
import { type Answer, type Command, type EventId, type Json, TenonError } from '@tenon/protocol'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'
import { compose } from '../compose.ts'
import { link } from '../compose/link.ts'
import { plain } from '../print/printer.ts'
import { exitNow, watchSignals } from '../print/stop.ts'
import { awaitRest } from './rest.ts'
import { oneSession } from './arguments.ts'
import { say, sayJson } from './stored.ts'

const common = {
  json: { names: ['--json'], help: 'One JSON object.' },
  takeOver: { names: ['--take-over'], help: 'Take the session from the process that holds it.' },
} as const satisfies FlagTable

const answerFlags = {
  ...common,
  text: { names: ['--text'], value: 'one', what: 'TEXT', help: 'What the model is told.' },
  input: { names: ['--input'], value: 'one', what: 'JSON', help: 'The edited input of the call, or new limits.' },
  stop: { names: ['--stop'], help: 'With deny: interrupt the run, too.' },
} as const satisfies FlagTable

export async function send(args: readonly string[]): Promise<number> {
  const { flags, words } = parseFlags(common, args)
  const [id, ...text] = words
  if (id === undefined || text.length === 0) throw usage('A session and a text are needed.', 'Write tenon session send ID TEXT.')
  return give(id, { command: 'send', parts: [{ type: 'text', text: text.join(' ') }] }, flags)
}

export async function answer(args: readonly string[]): Promise<number> {
  const { flags, words } = parseFlags(answerFlags, args)
  const [id, ask, ...options] = words
  if (id === undefined || ask === undefined) throw usage('A session and a question are needed.', 'Write tenon session answer ID ASK OPTION; `tenon session show ID` lists what is asked.')
  const text = flags.text?.at(-1)
  const input = flags.input?.at(-1)
  const body: Answer = {
    options,
    ...(text !== undefined && { text }),
    ...(input !== undefined && { input: toJson('--input', input) }),
    ...(flags.stop && { stop: true }),
  }
  const chosen = { command: 'answer', ask: toEventId(ask), ...body } as const
  return give(id, chosen, flags, true)
}

export const run = (args: readonly string[]): Promise<number> => simple(args, { command: 'run' })
export const pause = (args: readonly string[]): Promise<number> => simple(args, { command: 'pause' })
export const interrupt = (args: readonly string[]): Promise<number> => simple(args, { command: 'interrupt' })

export async function configure(args: readonly string[]): Promise<number> {
  const { flags, words } = parseFlags(common, args)
  const [id, ...pairs] = words
  if (id === undefined || pairs.length === 0) throw usage('A session and a setting are needed.', 'Write tenon session configure ID KEY=VALUE.')
  return give(id, { command: 'configure', set: Object.fromEntries(pairs.map(toPair)) }, flags)
}

async function simple(args: readonly string[], command: Command): Promise<number> {
  const { flags, words } = parseFlags(common, args)
  return give(oneSession(words, `${command.command} ID`), command, flags)
}

interface Given {
  readonly json?: readonly string[]
  readonly takeOver?: readonly string[]
}

/** Gives the command; when this process owns the session, it stays until the session rests and says what came out. */
async function give(text: string, command: Command, flags: Given, questions = false): Promise<number> {
  const stop = watchSignals()
  stop.overdue.addEventListener('abort', () => exitNow(130))
  const home = await compose({ takeOver: flags.takeOver !== undefined, kind: 'cli' })
  try {
    const stored = await home.store.find(text)
    const { session, here } = await link(home, stored.id)
    const whole = questions && command.command === 'answer' ? await fillAnswer(session, command) : command
    const reply = await session.command(whole)
    const state = here ? await awaitRest(session, stop) : await session.state()
    const final = here ? await lastText(session) : undefined
    if (flags.json) sayJson({ accepted: true, session: stored.id, seq: reply.seq, here, run: state, ...(final !== undefined && { final }) })
    else {
      say(`${command.command}: accepted${here ? '' : ` by process ${(await stored.log.owner())?.pid ?? '?'}, which owns the session`}; ${state.status}`)
      if (final && reply.seq !== null && command.command !== 'configure') say(plain(`\n${final}`))
    }
    return 0
  } finally {
    await home.close({ hurry: stop.asked.aborted })
    stop.dispose()
  }
}

type Reached = Awaited<ReturnType<typeof link>>['session']

/** Options of a question with choices are the answer to its first question. */
async function fillAnswer(session: Reached, command: Extract<Command, { command: 'answer' }>): Promise<Command> {
  const ask = (await session.state()).asks.find(({ id }) => id === command.ask)
  if (ask?.kind !== 'question') return command
  const { options, text, ...rest } = command
  const first = { options: [...options], ...(text !== undefined && { text }) }
  const others = Array.from({ length: Math.max(0, ask.questions - 1) }, () => ({ options: [] }))
  return { ...rest, options: [], answers: [first, ...others] }
}

async function lastText(session: Reached): Promise<string | undefined> {
  let last: string | undefined
  for await (const event of session.events({ types: ['message.added'] })) {
    if (event.type !== 'message.added' || event.role !== 'assistant') continue
    last = event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  }
  return last
}

function toEventId(text: string): EventId {
  if (text.startsWith('ev_')) return text as EventId
  throw usage(`"${text}" is no question's id.`, 'Take it from `tenon session show ID`; it begins with ev_.')
}

function toPair(text: string): readonly [string, Json] {
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === '') throw usage(`"${text}" is no setting.`, 'Write KEY=VALUE, the value as JSON or bare text.')
  try {
    return [key, JSON.parse(value) as Json]
  } catch {
    return [key, value]
  }
}

function toJson(flag: string, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new TenonError({ code: 'usage', message: `${flag} is not JSON: ${error instanceof Error ? error.message : String(error)}.`, action: `Write ${flag} '{"key": "value"}'.` })
  }
}
