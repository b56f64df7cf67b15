// `tenon -p`: opens or resumes one session, sends the prompt, waits until its run has ended, prints the result, exits.
import { writeFile } from 'node:fs/promises'
import { type Failure, type SessionId, TenonError, toFailure } from '@tenon/protocol'
import { usage } from '../args/parse.ts'
import { compose, type Home } from '../compose.ts'
import { exitCode, failureExitCode, signalExitCodes } from '../exit-code.ts'
import { emptyReport, failureOf, type Report } from '../format/report.ts'
import type { Ended } from '../format/result.ts'
import { version } from '../version.ts'
import { formatOf, type PrintOptions, toPrintOptions } from './options.ts'
import { createPrinter, type Printer } from './printer.ts'
import { type Prompt, readPrompt } from './prompt.ts'
import { sendPrompt } from './send.ts'
import { exitNow, type Stop, watchSignals } from './stop.ts'
import { findTarget, type Target } from './target.ts'

/** What is known so far: an error tells it as it stands. */
interface Progress {
  session: SessionId | undefined
  report: Report
}

/** The exit code. */
export async function print(args: readonly string[], extra: Partial<PrintOptions> = {}): Promise<number> {
  const stop = watchSignals()
  const progress: Progress = { session: undefined, report: emptyReport }
  let printer = createPrinter({ format: formatOf(args), partial: false, verbose: false, quiet: false })
  let options: PrintOptions | undefined
  let home: Home | undefined
  let failure: Failure | undefined
  try {
    options = { ...toPrintOptions(args), ...extra }
    printer = createPrinter(options)
    const prompt = await readPrompt(options.prompt, options.promptFile, stop.asked)
    requirePrompt(prompt, options)
    home = await composeFor(options, printer)
    const target = await findTarget(home, options)
    progress.session = target.id
    printer.init(initFacts(home, target))
    await sendPrompt({ home, target, prompt, printer, stop, progress })
    failure = failureOf(progress.report, target.id, options.strict)
  } catch (error) {
    failure = stop.asked.aborted && !(error instanceof TenonError) ? undefined : toFailure(error)
  }
  const ended = conclude(progress, { failure, strict: options?.strict ?? false, stop })
  printer.end(ended)
  if (stop.reason() && progress.session && options?.persist)
    printer.notice(`stopped; go on with: tenon -r ${progress.session}`)
  if (options?.output !== undefined && progress.session)
    await writeOutput(options.output, progress.report.text, printer)
  return leave(home, ended.exitCode, stop)
}

function requirePrompt({ texts, input }: Prompt, { resume }: PrintOptions): void {
  if (texts.length > 0 || input || resume) return
  throw usage('There is nothing to do: no prompt was given.', 'Write tenon -p "TEXT", or pipe the prompt in.')
}

const composeFor = (
  { onAsk, persist, model, cwdGiven, cwd, takeOver }: PrintOptions,
  printer: Printer,
): Promise<Home> =>
  compose({
    onAsk,
    model,
    takeOver,
    sync: persist ? 'group' : 'memory',
    warn: printer.notice,
    ...(cwdGiven && { cwd }),
  })

function initFacts(home: Home, { id, state }: Target) {
  const { model, mode } = state.settings
  const entry = home.settings.providers[String(model).split('/')[0] ?? '']
  return {
    session: id,
    cwd: state.cwd,
    model: String(model),
    mode: String(mode),
    tools: home.tools.map(({ name }) => name),
    apiKeySource: entry?.apiKey ? (entry.apiKeyFrom ?? 'config') : 'none',
    version,
  }
}

/** Result and exit code: the signal that stopped it comes first, then what failed, then how the run ended. */
function conclude(
  { session: id, report }: Progress,
  at: { failure: Failure | undefined; strict: boolean; stop: Stop },
): Ended {
  const { strict, stop } = at
  const session = id ?? ''
  const reason = stop.reason()
  const failure = at.failure ?? (reason && !report.ended ? stopped(reason, session) : undefined)
  const { ended, unanswered } = report
  const code = reason
    ? signalExitCodes[reason]
    : ended
      ? exitCode({
          outcome: ended.outcome,
          failure: ended.failure,
          finish: ended.finish,
          unanswered: strict && unanswered,
        })
      : failure
        ? failureExitCode(failure)
        : 1
  return { report, session, failure, exitCode: code, ms: performance.now() }
}

const stopped = (signal: string, session: string): Failure => ({
  code: 'interrupted',
  message: `Stopped by ${signal}.`,
  action: session ? `Go on with \`tenon -r ${session}\`.` : 'Start it again.',
  retryable: true,
})

const writeOutput = (path: string, text: string, printer: Printer): Promise<void> =>
  writeFile(path, text).catch((error: Error) => printer.error(`${path} cannot be written: ${error.message}`))

/** Gives everything back; after a signal within its grace, and without waiting for other clients' runs. */
async function leave(home: Home | undefined, code: number, stop: Stop): Promise<number> {
  stop.overdue.addEventListener('abort', () => exitNow(code))
  if (stop.overdue.aborted) exitNow(code)
  await home?.close({ hurry: stop.asked.aborted }).catch(() => undefined)
  stop.dispose()
  return code
}
