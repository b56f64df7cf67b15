// A process of the memory workspace: what it prints, how it ends and what it changes stand in a table.
import type { Process, SpawnRequest } from '@tenon/core'
import { TenonError } from '@tenon/protocol'

export interface ScriptedCommand {
  /** Matched with the last argument, which for a shell is the command. A string must be equal. */
  readonly command: string | RegExp
  readonly out?: string | Uint8Array
  /** Joined streams show it after `out`. */
  readonly err?: string
  /** Exit code, default 0. */
  readonly code?: number
  /** Does not end until it is killed. */
  readonly hangs?: boolean
  /** Pids that it leaves behind, for `sweep`. */
  readonly leaves?: readonly number[]
  /** What it changes, before it prints. */
  readonly effect?: (files: ScriptedFiles) => void
}

export interface ScriptedFiles {
  put(path: string, content: string): void
  read(path: string): Uint8Array | undefined
}

/** @throws TenonError `spawn_failed` for a command that is not in the table */
export function scriptedProcess(
  request: SpawnRequest,
  commands: readonly ScriptedCommand[],
  files: ScriptedFiles,
  pid: number,
): Process {
  const text = request.argv.at(-1) ?? ''
  const script = commands.find(({ command }) => (typeof command === 'string' ? command === text : command.test(text)))
  if (!script)
    throw new TenonError({
      code: 'spawn_failed',
      message: `No script for ${request.argv.join(' ')}.`,
      action: 'Add the command to the table.',
    })
  script.effect?.(files)
  let end: (exit: Awaited<Process['exit']>) => void = () => undefined
  const exit = new Promise<Awaited<Process['exit']>>((resolve) => {
    end = resolve
  })
  if (!script.hangs) end({ code: script.code ?? 0, signal: null })
  let left = script.leaves ?? []
  return {
    pid,
    exit,
    output: chunksOf(script, request.joined, exit),
    kill: async () => end({ code: null, signal: 'SIGINT' }),
    sweep: async () => {
      const ended = left
      left = []
      return ended
    },
  }
}

async function* chunksOf(
  { out, err, hangs }: ScriptedCommand,
  joined: boolean,
  exit: Promise<unknown>,
): AsyncGenerator<{ readonly stream: 'out' | 'err'; readonly chunk: Uint8Array }> {
  const encode = (text: string | Uint8Array): Uint8Array =>
    typeof text === 'string' ? new TextEncoder().encode(text) : text
  if (out?.length) yield { stream: 'out', chunk: encode(out) }
  if (err?.length) yield { stream: joined ? 'out' : 'err', chunk: encode(err) }
  if (hangs) await exit
}
