// Sends the prompt and follows its run to the end, whoever owns the session meanwhile.
import { randomUUID } from 'node:crypto'
import { type CommandReply, TenonError } from '@tenon/protocol'
import type { Home } from '../compose.ts'
import { follow } from '../compose/follow.ts'
import { isGone, type Link, link } from '../compose/link.ts'
import { emptyReport, foldReport, type Report } from '../format/report.ts'
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
}

export async function sendPrompt({ home, target, prompt, printer, stop }: SendOptions): Promise<Report> {
  const { parts, notice } = await toParts(prompt, async () => (await home.store.find(target.id)).blobs)
  if (notice) printer.notice(notice)
  stop.asked.throwIfAborted()
  const id = `cmd_${randomUUID()}`
  const command = parts.length > 0 ? ({ command: 'send', parts } as const) : ({ command: 'run' } as const)
  const { current, reply } = await reliably(home, target, (at) => at.session.command(command, { id }))
  const first = { ...target, ...current }
  return followTurn({ home, target: first, id, turn: startTurn(reply.seq === null && parts.length === 0), printer, stop })
}

/** Does it again at the next owner when the present one went away; the command's id makes that one command. */
async function reliably(home: Home, first: Target, work: (at: Link) => Promise<CommandReply>): Promise<{ current: Link; reply: CommandReply }> {
  let current: Link = first
  for (let tries = 0; ; tries++) {
    try {
      return { current, reply: await work(current) }
    } catch (error) {
      if (!isGone(error) || tries >= 5) throw error
      current = await link(home, first.id)
    }
  }
}

interface Following {
  readonly home: Home
  readonly target: Target
  readonly id: string
  readonly turn: Turn
  readonly printer: Printer
  readonly stop: Stop
}

async function followTurn({ home, target, id, turn: first, printer, stop }: Following): Promise<Report> {
  let turn = first
  let report = emptyReport
  let current: Link = target
  const done = new AbortController()
  const giveUp = () => done.abort()
  const interrupt = () => void current.session.interrupt({ signal: stop.overdue }).catch(() => undefined)
  stop.asked.addEventListener('abort', interrupt, { once: true })
  stop.overdue.addEventListener('abort', giveUp, { once: true })
  if (stop.asked.aborted) interrupt()
  try {
    for await (const item of follow(home, target.id, { first: target, after: target.after, live: true, signal: done.signal })) {
      if (item.type === 'linked') {
        current = item.link
        if (stop.asked.aborted) interrupt()
      } else if (item.type === 'live') printer.live(item.fragment)
      else {
        printer.event(item.event)
        const before = turn
        turn = foldTurn(turn, item.event, item.event.cause === id)
        if (before !== turn || turn.message !== null || turn.taken) report = foldReport(report, item.event)
        if (turn.over === 'withdrawn') throw withdrawn()
        if (turn.over === 'stopped') return { ...report, ended: null }
        if (turn.over && turn.over.failure?.code === 'crashed' && !stop.asked.aborted) {
          // The owner was killed in the middle of our run: this process goes on with it.
          await current.session.run()
          turn = { ...startTurn(true) }
        } else if (turn.over) break
      }
    }
  } finally {
    stop.asked.removeEventListener('abort', interrupt)
    done.abort()
  }
  return report
}

const withdrawn = (): TenonError =>
  new TenonError({ code: 'interrupted', message: 'The message was withdrawn before it was delivered.', action: 'Send it again.' })
