// `tenon demo`, also `npm start`: the agent fixes a failing test in a scratch project. Tools, files, tests and the session's
// log are real; only the model's words come from a script. No key, no network.
import { delimiter, dirname } from 'node:path'
import { demoPrompt, providersFromEnv } from '@tenon/models'
import { parseFlags } from '../args/parse.ts'
import { follow } from '../compose/follow.ts'
import { compose, type Home } from '../compose.ts'
import { exitCode, signalExitCodes } from '../exit-code.ts'
import { emptyReport, foldReport, type Report } from '../format/report.ts'
import { exitNow, type Stop, watchSignals } from '../print/stop.ts'
import { foldTurn, startTurn } from '../print/turn.ts'
import { makeScratch, type Scratch } from './scratch.ts'
import { createStage } from './stage.ts'
import { createStyle } from './style.ts'

const write = (text: string): void => void process.stdout.write(text)

export async function demo(args: readonly string[]): Promise<number> {
  parseFlags({}, args)
  const stop = watchSignals()
  stop.overdue.addEventListener('abort', () => exitNow(130))
  // The project's tests run with the Node that runs this, whatever the machine has.
  process.env.PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const scratch = makeScratch()
  const pace = process.stdout.isTTY ? { demoPace: { chunk: 6, delayMs: 12 } } : {}
  const home = await compose({ model: 'demo', kind: 'demo', warn: (text) => write(`${text}\n`), ...pace })
  const { bold, dim } = createStyle(process.stdout)
  write(`${bold('Tenon demo')}: a small project with one failing test, and an agent that fixes it.\n`)
  write(dim(`Folder ${scratch.folder}. The tools, the tests and the log are real; the model is a script.\n`))
  write(`\n${bold('›')} ${demoPrompt}\n`)
  try {
    const { id, report } = await run(home, scratch, stop)
    const { dir } = await home.store.find(id)
    const reason = stop.reason()
    if (reason) return signalExitCodes[reason]
    write(`\n${bold('What changed')}\n${scratch.diff()}`)
    write(`\n${bold('The whole session is in its log')}\n  ${dir}\n`)
    write(`\n${bold('Try next')}\n${hints(id, scratch.folder)}`)
    return exitCode({ outcome: report.ended?.outcome ?? 'none', failure: report.ended?.failure, unanswered: false })
  } finally {
    await home.close({ hurry: stop.asked.aborted })
    stop.dispose()
  }
}

async function run(home: Home, { folder }: Scratch, stop: Stop): Promise<{ id: `ses_${string}`; report: Report }> {
  const { session } = await home.client.sessions.open({
    cwd: folder,
    project: folder,
    model: 'demo',
    title: 'Demo: the cart that forgot quantities',
    mode: 'acceptEdits',
    limits: { turns: 50 },
    config: { 'permissions.allow': ['Bash(node --test)'] },
  })
  const id = 'cmd_demo'
  const done = new AbortController()
  const interrupt = () => void session.interrupt().catch(() => done.abort())
  stop.asked.addEventListener('abort', interrupt, { once: true })
  const stage = createStage(write, createStyle(process.stdout))
  const after = (await session.state()).seq
  await session.send(demoPrompt, { id })
  let turn = startTurn(false)
  let report = emptyReport
  for await (const item of follow(home, session.id, {
    first: { session, here: true },
    after,
    live: true,
    signal: done.signal,
  })) {
    if (item.type === 'live') stage.live(item.fragment)
    if (item.type !== 'event') continue
    stage.event(item.event)
    report = foldReport(report, item.event)
    turn = foldTurn(turn, item.event, item.event.cause === id)
    if (turn.over) break
  }
  return { id: session.id, report }
}

/** From source the command is not on the PATH, so that what is printed would not run as it stands. */
const command = import.meta.url.endsWith('.ts') ? 'npx tenon' : 'tenon'

function hints(id: string, folder: string): string {
  const provider = Object.keys(providersFromEnv(process.env))[0]
  const model = provider
    ? `A key of ${provider} is set: work on a project of yours with  ${command} -p "…" --model ${provider}/MODEL`
    : `To work on a project of yours: set OPENAI_API_KEY or another key, then  ${command} -p "…" --model openai/MODEL`
  return [
    `  ${command} session replay ${id}    the conversation again, from the log`,
    `  ${command} session events ${id}    every event of it`,
    `  ${command} session verify ${id}    checks the log, its links and each request's hash`,
    `  The project itself: ${folder}`,
    `  ${model}`,
    '',
  ].join('\n')
}
