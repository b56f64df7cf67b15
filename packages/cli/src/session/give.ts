// Gives one command to a session: through its owner's socket, or by owning it until it rests again.
import type { ClientSession } from '@tenon/client'
import type { Command, CommandOf, EventOf, RunView } from '@tenon/protocol'
import { isGone, link } from '../compose/link.ts'
import { compose, type Home } from '../compose.ts'
import { textOf } from '../format/report.ts'
import { plain } from '../print/printer.ts'
import { exitNow, type Stop, watchSignals } from '../print/stop.ts'
import { awaitRest } from './rest.ts'
import { say, sayJson } from './stored.ts'

interface Flags {
  readonly json?: readonly string[]
  readonly takeOver?: readonly string[]
}

interface Given {
  readonly session: string
  readonly seq: readonly number[] | null
  /** Process that owns the session; `null`: this one did. */
  readonly owner: number | null
  /** As it stands now; unknown when its owner left at once. */
  readonly run: RunView | undefined
  readonly final: string | null
}

/** The exit code; when this process owns the session, it stays until the session rests and says what came out. */
export async function give(text: string, command: Command, flags: Flags): Promise<number> {
  const stop = watchSignals()
  stop.overdue.addEventListener('abort', () => exitNow(130))
  // Other open questions stay open: answering one must not deny the next.
  const home = await compose({ takeOver: flags.takeOver !== undefined, kind: 'cli', onAsk: 'stop' })
  try {
    const given = await reach(home, text, { command, stop })
    if (flags.json) sayJson({ accepted: true, ...given })
    else for (const line of toLines(command, given)) say(line)
    return 0
  } finally {
    await home.close({ hurry: stop.asked.aborted })
    stop.dispose()
  }
}

async function reach(home: Home, text: string, { command, stop }: { command: Command; stop: Stop }): Promise<Given> {
  const stored = await home.store.find(text)
  const { session, here } = await link(home, stored.id)
  const owner = here ? null : ((await stored.log.owner())?.pid ?? 0)
  const { seq } = await session.command(command.command === 'answer' ? await fillAnswer(session, command) : command)
  const run = here ? await awaitRest(session, stop) : await stateOrNone(session)
  const moved = here && seq !== null && command.command !== 'configure'
  return { session: stored.id, seq, owner, run, final: moved ? await lastText(session) : null }
}

/** Options of a question with choices answer its first question; the others are left to the model. */
async function fillAnswer(session: ClientSession, command: CommandOf<'answer'>): Promise<CommandOf<'answer'>> {
  const ask = (await session.state()).asks.find(({ id }) => id === command.ask)
  if (ask?.kind !== 'question') return command
  const { options, text, ...rest } = command
  const first = { options: [...options], ...(text !== undefined && { text }) }
  const others = Array.from({ length: Math.max(0, ask.questions - 1) }, () => ({ options: [] }))
  return { ...rest, options: [], answers: [first, ...others] }
}

/** An owner may leave as soon as it has taken a command. */
const stateOrNone = (session: ClientSession): Promise<RunView | undefined> =>
  session.state().catch((error: unknown) => (isGone(error) ? undefined : Promise.reject(error)))

async function lastText(session: ClientSession): Promise<string | null> {
  let last: EventOf<'message.added'> | undefined
  for await (const event of session.events({ types: ['message.added'] }))
    if (event.type === 'message.added' && event.role === 'assistant') last = event
  return last ? textOf(last) : null
}

function toLines(command: Command, { session, owner, run, final }: Given): readonly string[] {
  const by = owner === null ? '' : ` by process ${owner}, which owns the session`
  const asks = (run?.asks ?? []).map(
    ({ id, title, options }) => `asked: ${title}\n  tenon session answer ${session} ${id} ${options.join('|')}`,
  )
  return [
    `${command.command}: accepted${by}${run ? `; ${run.status}` : ''}`,
    ...asks,
    ...(final ? ['', plain(final)] : []),
  ]
}
