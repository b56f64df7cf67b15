// `tenon session …`: the table of its commands.
import { nearest } from '../args/nearest.ts'
import { usage } from '../args/parse.ts'

type Run = (args: readonly string[]) => Promise<number>

interface SessionCommand {
  readonly usage: string
  readonly help: string
  /** It reads the log and owns nothing. */
  readonly looks?: true
  readonly load: () => Promise<Run>
}

const commands: Readonly<Record<string, SessionCommand>> = {
  list: {
    usage: '[--all] [--limit N]',
    help: "This project's sessions, the newest first.",
    load: async () => (await import('./list.ts')).list,
    looks: true,
  },
  show: {
    usage: 'ID',
    help: 'Status, counts, cost, open questions, the last message.',
    load: async () => (await import('./show.ts')).show,
    looks: true,
  },
  events: {
    usage: 'ID [--from N] [--to N] [--type T] [--follow]',
    help: 'The events of the log, one JSON a line.',
    load: async () => (await import('./events.ts')).events,
    looks: true,
  },
  path: {
    usage: 'ID [--at EVENT]',
    help: 'The active branch, from the root.',
    load: async () => (await import('./path.ts')).path,
    looks: true,
  },
  verify: {
    usage: 'ID | --all',
    help: 'Checks framing, ids, parents, links, blobs, schemas, request hashes.',
    load: async () => (await import('./verify.ts')).verify,
    looks: true,
  },
  replay: {
    usage: 'ID [--to SEQ] [--check]',
    help: 'The log as a conversation; --check computes each decision again.',
    load: async () => (await import('./replay.ts')).replay,
    looks: true,
  },
  send: {
    usage: 'ID TEXT',
    help: 'A message to a session, whoever owns it.',
    load: async () => (await import('./command.ts')).send,
  },
  answer: {
    usage: 'ID ASK OPTION… [--text T] [--input JSON] [--stop]',
    help: 'The answer to an open question.',
    load: async () => (await import('./command.ts')).answer,
  },
  run: { usage: 'ID', help: 'Goes on with what waits.', load: async () => (await import('./command.ts')).run },
  pause: { usage: 'ID', help: 'Pauses the run.', load: async () => (await import('./command.ts')).pause },
  interrupt: { usage: 'ID', help: 'Stops the run.', load: async () => (await import('./command.ts')).interrupt },
  configure: {
    usage: 'ID KEY=VALUE…',
    help: 'Changes settings of the session.',
    load: async () => (await import('./command.ts')).configure,
  },
}

export async function session(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) {
    // What only looks may end when nobody reads on.
    if (command.looks) process.stdout.on('error', () => process.exit(141))
    return (await command.load())(rest)
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(sessionHelp())
    return 0
  }
  const guess = nearest(name, Object.keys(commands))
  throw usage(
    `There is no command session ${name}.`,
    guess ? `Did you mean session ${guess}?` : `There are ${Object.keys(commands).join(', ')}.`,
  )
}

export const sessionHelp = (): string =>
  [
    'tenon session COMMAND    (--json for programs; ID is an id, the start of one, a title, or last)\n',
    ...Object.entries(commands).map(([name, { usage: what, help }]) => `  ${`${name} ${what}`.padEnd(58)} ${help}\n`),
  ].join('')
