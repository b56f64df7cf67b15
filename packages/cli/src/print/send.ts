// Sends the prompt and follows its run to the end, whoever owns the session meanwhile.
import { randomUUID } from 'node:crypto'
import { type CommandReply, TenonError } from '@tenon/protocol'
import { follow } from '../compose/follow.ts'
import { type Link, link, whileOwnersLeave } from '../compose/link.ts'
import type { Home } from '../compose.ts'
import { foldReport, type Report } from '../format/report.ts'
import type { Printer } from './printer.ts'
import { type Prompt, toParts } from './prompt.ts'
import type { Stop } from './stop.ts'
import type { Target } from './target.ts'
import { foldTurn, startTurn, type Turn } from './turn.ts'

export interface SendOptions {
  readonly home: Home
  readonly target: Target
  readonly prompt: Prompt
  readonly printer: Printer
  readonly stop: Stop
  /** Holds what is known so far, also when it ends with an error. */
  readonly progress: { report: Report }
}

/** @throws TenonError `interrupted` when another client stopped or withdrew the message before its run, and of the session */
export async function sendPrompt({ home, target, prompt, printer, stop, progress }: SendOptions): Promise<void> {
  const { parts, notice } = await toParts(prompt, async () => (await home.store.find(target.id)).blobs)
  if (notice) printer.notice(notice)
  stop.asked.throwIfAborted()
  const id = `cmd_${randomUUID()}`
  const command = parts.length > 0 ? ({ command: 'send', parts } as const) : ({ command: 'run' } as const)
  const { current, reply } = await reliably(home, target, (at) => at.session.command(command, { id }))
  const first = { ...target, ...current }
  const turn = startTurn(reply.seq === null && parts.length === 0)
  await followTurn({ home, target: first, id, turn, printer, stop, progress })
}

/** Does it again at the next owner when the present one went away; the command's id makes that one command. */
async function reliably(
  home: Home,
  first: Target,
  work: (at: Link) => Promise<CommandReply>,
): Promise<{ current: Link; reply: CommandReply }> {
  let current: Link | undefined = first
  return whileOwnersLeave(async () => {
    const at = current ?? (await link(home, first.id))
    current = undefined
    return { current: at, reply: await work(at) }
  })
}

interface Following extends Omit<SendOptions, 'prompt'> {
  readonly id: string
  readonly turn: Turn
}

async function followTurn({ home, target, id, turn: first, printer, stop, progress }: Following): Promise<void> {
  let turn = first
  let current: Link = target
  const done = new AbortController()
  const giveUp = () => done.abort()
  const interrupt = () => void current.session.interrupt({ signal: stop.overdue }).catch(() => undefined)
  stop.asked.addEventListener('abort', interrupt, { once: true })
  stop.overdue.addEventListener('abort', giveUp, { once: true })
  if (stop.asked.aborted) interrupt()
  const from = { first: target, after: target.after, live: true, signal: done.signal }
  try {
    for await (const item of follow(home, target.id, from)) {
      if (item.type === 'linked') {
        current = item.link
        if (stop.asked.aborted) interrupt()
      } else if (item.type === 'live') printer.live(item.fragment)
      else {
        const { event } = item
        printer.event(event)
        turn = foldTurn(turn, event, event.cause === id)
        if (turn.message !== null || turn.taken) progress.report = foldReport(progress.report, event)
        if (turn.over === 'withdrawn' || turn.over === 'stopped') throw notRun(turn.over)
        if (!turn.over) continue
        if (turn.over.failure?.code !== 'crashed' || stop.asked.aborted || !(await goOn(current, progress))) return
        turn = startTurn(true)
      }
    }
  } finally {
    stop.asked.removeEventListener('abort', interrupt)
    stop.overdue.removeEventListener('abort', giveUp)
    done.abort()
  }
}

/** The owner was killed in the middle of our run: this process goes on with it. False when only its end was missing. */
async function goOn({ session }: Link, progress: { report: Report }): Promise<boolean> {
  try {
    await session.run()
    return true
  } catch (error) {
    if (!(error instanceof TenonError) || error.code !== 'nothing_to_run') throw error
    const { report } = progress
    if (report.ended) {
      const { failure: _, ...ended } = report.ended
      progress.report = { ...report, ended: { ...ended, outcome: 'done' } }
    }
    return false
  }
}

const notRun = (how: 'withdrawn' | 'stopped'): TenonError =>
  new TenonError({
    code: 'interrupted',
    message:
      how === 'withdrawn'
        ? 'The message was withdrawn before it was delivered.'
        : 'The run was stopped before it began.',
    action: how === 'withdrawn' ? 'Send it again.' : 'Go on with `tenon -c`.',
    retryable: true,
  })
