// Effect tool: runs one started call within its limit and gives its one result, whatever the tool does.
import type { Call, RunState } from '@tenon/projections'
import { type Draft, TenonError, toFailure } from '@tenon/protocol'
import { finished } from '../next/close.ts'
import { isReadDenied } from '../policy/judge.ts'
import type { ToolResult } from '../tool.ts'
import { grant } from './granted.ts'
import { createOutput } from './output.ts'
import type { PerformPorts } from './ports.ts'
import { toFinished } from './result.ts'

/** Grace for a tool to come back after an abort (ms): killing a process group takes up to 5 s. */
const graceMs = 8_000
/** Tools end themselves at their own limit; this much later they are taken to hang (ms). */
const slackMs = 10_000

export async function runTool(
  ports: PerformPorts,
  call: Call,
  state: RunState,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const tool = ports.tools.find(({ name }) => name === call.ref.tool)
  if (tool?.kind !== 'run' || !call.judged) return [gone(call)]
  const deny = state.settings['permissions.deny']
  const hidden = (path: string) => deny.length > 0 && isReadDenied(path, ports.workspace.root, deny)
  // What was judged is what is granted: a path that leads elsewhere by now is refused.
  const granted = grant(ports.workspace, ports.blobs, call.ref, call.judged.accesses, state.branch.seen, hidden)
  const startedAt = ports.clock.now()
  const limit = new AbortController()
  const done = new AbortController()
  const stop = AbortSignal.any([signal, limit.signal])
  const output = createOutput(call.ref, ports.blobs, ports.clock, ports.emit)
  const work = tool.run(call.judged.input, { workspace: granted.workspace, signal: stop, output }).then(
    (result): Ended => ({ how: 'returned', result }),
    (error: unknown): Ended => ({ how: 'threw', error }),
  )
  const ended = await Promise.race([work, overdue(ports, call.judged.timeoutMs + slackMs, signal, limit, done.signal)])
  done.abort()
  await output.abandon().catch(() => undefined)
  const told = granted.changes.length
  if (ended.how === 'hangs') void work.then(() => ports.late(granted.changes.slice(told)))
  return [...granted.changes.slice(0, told), toResult(call, ended, signal.aborted, ports.clock.now() - startedAt)]
}

type Ended =
  | { readonly how: 'returned'; readonly result: ToolResult }
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'hangs'; readonly why: 'aborted' | 'timeout' }

/** Resolves when the tool has had its time: its limit and slack, or the grace after an abort. Never after `done`. */
async function overdue(
  ports: PerformPorts,
  limitMs: number,
  signal: AbortSignal,
  limit: AbortController,
  done: AbortSignal,
): Promise<Ended> {
  const { clock } = ports
  const timedOut = await clock.until(clock.now() + limitMs, AbortSignal.any([signal, done])).then(
    () => true,
    () => false,
  )
  if (timedOut) limit.abort()
  await clock.until(clock.now() + graceMs, done).catch(() => undefined)
  return { how: 'hangs', why: timedOut ? 'timeout' : 'aborted' }
}

function toResult(call: Call, ended: Ended, aborted: boolean, ms: number): Draft {
  if (ended.how === 'returned') {
    const draft = toFinished(call.ref, ended.result, ms)
    return aborted && ended.result.status === 'error' ? { ...draft, status: 'cancelled' } : draft
  }
  if (ended.how === 'threw') return { ...finished(call.ref, threw(ended.error, aborted)), ms }
  const message =
    ended.why === 'timeout'
      ? 'The tool did not come back within its limit and was left.'
      : 'The tool did not stop when it was told to and was left.'
  const content = [
    { type: 'error', code: 'outcome_unknown', message, next: 'It may have taken effect: check before repeating it.' },
  ] as const
  return { ...finished(call.ref, { by: 'harness', status: 'unknown', content }), ms }
}

function threw(error: unknown, aborted: boolean) {
  const { code, message, action } = toFailure(error)
  if (aborted)
    return {
      by: 'harness',
      status: 'cancelled',
      content: [
        {
          type: 'error',
          code: 'cancelled',
          message: 'Interrupted while it ran.',
          next: 'Check the state before repeating it.',
        },
      ],
    } as const
  const known = error instanceof TenonError
  return {
    by: known ? 'tool' : 'harness',
    status: 'error',
    content: [{ type: 'error', code: known ? code : 'tool_failed', message, next: action }],
  } as const
}

const gone = (call: Call): Draft =>
  finished(call.ref, {
    by: 'harness',
    status: 'error',
    unstarted: 'invalid',
    content: [
      { type: 'error', code: 'tool_unknown', message: `The tool ${call.ref.tool} is gone.`, next: 'Use another tool.' },
    ],
  })
