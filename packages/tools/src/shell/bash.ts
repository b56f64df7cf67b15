// Bash: one command in a fresh shell, to its end or its timeout. Nothing of it stays behind.
import { defineTool, type Process, type ToolContext, type ToolResult } from '@tenon/core'
import type { Blob } from '@tenon/protocol'
import { z } from 'zod'
import { changesAnything, fail, ok, plain, settle } from '../result.ts'
import { type Collected, collect, floodLimit } from './collect.ts'
import { notShell, shellRequest } from './command.ts'
import { judgeExit } from './exit-code.ts'
import { type Presented, presentOutput } from './present.ts'

const defaultTimeout = 120_000
const longestTimeout = 600_000
/** Milliseconds that the engine waits beyond the command's own timeout: ending its processes takes up to 6 s. */
const grace = 15_000

const schema = z.object({
  command: z.string().min(1).describe('Shell command; may be several lines'),
  timeout: z
    .int()
    .positive()
    .max(longestTimeout)
    .default(defaultTimeout)
    .meta({ description: 'Milliseconds, at most 600,000', milliseconds: true }),
  description: z.string().optional().describe('What it does, in 5 to 10 words'),
})
type Input = z.infer<typeof schema>

export const bash = defineTool({
  kind: 'run',
  name: 'Bash',
  title: 'Run a command',
  aliases: [
    'terminal',
    'execute_bash',
    'run_command',
    'run_shell_command',
    'shell',
    'execute_command',
    'run_terminal_cmd',
  ],
  description:
    'Runs a command in bash, in the session folder, and returns exit code and output (both streams in order). Each call is ' +
    'a fresh shell: cd and variables do not carry over. There is no terminal and no input: pass yes flags, and give sudo ' +
    'or ssh no reason to ask. Processes left behind are ended. Use Read, Grep and Glob for files where they do.',
  schema,
  parameterAliases: { cmd: 'command', script: 'command', timeout_seconds: 'timeout', timeout_ms: 'timeout' },
  paths: [],
  annotations: changesAnything,
  access: (input) => [{ verb: 'exec', target: input.command }],
  resources: () => [
    { key: 'shell:main', mode: 'exclusive' },
    { key: 'workspace', mode: 'exclusive' },
  ],
  timeoutMs: (input) => input.timeout + grace,
  run: (input, context) => settle(() => runBash(input, context)),
})

async function runBash(input: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context
  const foreign = notShell(input.command)
  if (foreign)
    return fail(
      'shell_not_shell',
      `The command is ${foreign}, not shell: ${JSON.stringify(input.command.slice(0, 80))}.`,
      foreign === 'Python' ? "Run it with python3 - <<'EOF' … EOF." : 'Send the command itself.',
    )
  if (input.command.includes('\0') || !input.command.isWellFormed())
    return fail(
      'args_invalid',
      'The command holds a NUL or half a surrogate pair, which no shell can take.',
      'Write it as an escape (\\0, \\u…).',
    )
  const started = performance.now()
  const process = await workspace.spawn(shellRequest(input.command, workspace.root))
  const ended = await attend(process, input.timeout, context)
  const { blob } = await context.output.finish()
  context.signal.throwIfAborted()
  return present(input, ended, blob, performance.now() - started)
}

interface Ended {
  readonly output: Collected
  readonly exit: Awaited<Process['exit']>
  readonly timedOut: boolean
  /** Processes that were left and have been ended. */
  readonly swept: readonly number[]
}

/** Reads the output until it ends, is too much, takes too long or is cancelled; afterwards nothing of it lives. */
async function attend(process: Process, timeout: number, { output, signal }: ToolContext): Promise<Ended> {
  let timedOut = false
  let killing: Promise<void> | undefined
  const kill = (): void => {
    killing ??= process.kill()
  }
  const timer = setTimeout(() => {
    timedOut = true
    kill()
  }, timeout)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  try {
    const collected = await collect(process, output)
    if (collected.flooded) kill()
    await killing
    // A command that closed its output but goes on is waited for: its code is the result.
    const exit = await process.exit
    await killing
    return { output: collected, exit, timedOut, swept: await process.sweep() }
  } catch (error) {
    kill()
    await killing
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

function present(input: Input, ended: Ended, blob: Blob | null, ms: number): ToolResult {
  const { output, exit, swept } = ended
  const shown = presentOutput(output, blob)
  const seconds = (ms / 1000).toFixed(ms < 10_000 ? 1 : 0)
  const verdict = judgeExit(input.command, exit.code, exit.signal)
  const left =
    swept.length === 0
      ? ''
      : `[${swept.length === 1 ? 'A process' : `${swept.length} processes`} left running (${swept.slice(0, 5).join(', ')}) ended with the command; nothing runs on in the background.]`
  const facts = factsOf(ended, blob, shown)
  const tail = [shown.text, left].filter(Boolean).join('\n')
  if (output.flooded)
    return fail(
      'output_flood',
      `The command printed more than ${plain(floodLimit)} in ${seconds} s and was killed.`,
      'Limit it (head, a filter), or write to a file.',
      tail,
      facts,
    )
  if (ended.timedOut)
    return fail(
      'tool_timeout',
      `The command did not end within ${input.timeout / 1000} s and was killed with all its processes.`,
      'Give it a longer timeout (at most 600,000 ms), less work, or input by arguments if it waits for some.',
      tail,
      facts,
    )
  const header = `exit ${exit.code ?? exit.signal}${verdict.hint ? ` (${verdict.hint})` : ''}, ${seconds} s`
  if (verdict.ok) return ok([header, tail].filter(Boolean).join('\n'), facts)
  return { ...ok([header, tail].filter(Boolean).join('\n'), facts), status: 'error' }
}

const factsOf = ({ output, exit }: Ended, blob: Blob | null, { shown, total }: Presented) => ({
  digest: `exit ${exit.code ?? exit.signal}, ${output.breaks} lines`,
  ...(blob && { raw: blob }),
  ...(shown < total && { shown, total }),
  ...(exit.code !== null && { exit: exit.code }),
})
