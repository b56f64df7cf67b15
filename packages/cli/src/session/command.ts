// Commands to a session from any terminal: through its owner's socket, or by owning it until it rests.
import type { Answer, Command, EventId, Json } from '@tenon/protocol'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'
import { oneSession } from './arguments.ts'
import { give } from './give.ts'

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
  if (id === undefined || text.length === 0)
    throw usage('A session and a text are needed.', 'Write tenon session send ID TEXT.')
  return give(id, { command: 'send', parts: [{ type: 'text', text: text.join(' ') }] }, flags)
}

export async function answer(args: readonly string[]): Promise<number> {
  const { flags, words } = parseFlags(answerFlags, args)
  const [id, ask, ...options] = words
  if (id === undefined || ask === undefined)
    throw usage(
      'A session and a question are needed.',
      'Write tenon session answer ID ASK OPTION; `tenon session show ID` lists what is asked.',
    )
  const text = flags.text?.at(-1)
  const input = flags.input?.at(-1)
  const body: Answer = {
    options,
    ...(text !== undefined && { text }),
    ...(input !== undefined && { input: toJson('--input', input) }),
    ...(flags.stop && { stop: true }),
  }
  const chosen = { command: 'answer', ask: toEventId(ask), ...body } as const
  return give(id, chosen, flags)
}

export const run = (args: readonly string[]): Promise<number> => simple(args, { command: 'run' })
export const pause = (args: readonly string[]): Promise<number> => simple(args, { command: 'pause' })
export const interrupt = (args: readonly string[]): Promise<number> => simple(args, { command: 'interrupt' })

export async function configure(args: readonly string[]): Promise<number> {
  const { flags, words } = parseFlags(common, args)
  const [id, ...pairs] = words
  if (id === undefined || pairs.length === 0)
    throw usage('A session and a setting are needed.', 'Write tenon session configure ID KEY=VALUE.')
  return give(id, { command: 'configure', set: Object.fromEntries(pairs.map(toPair)) }, flags)
}

async function simple(args: readonly string[], command: Command): Promise<number> {
  const { flags, words } = parseFlags(common, args)
  return give(oneSession(words, `${command.command} ID`), command, flags)
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
    const why = error instanceof Error ? error.message : String(error)
    throw usage(`${flag} is not JSON: ${why}.`, `Write ${flag} '{"key": "value"}'.`)
  }
}
