// The memory workspace of a scenario: commands print what the table says, take virtual time and can be killed.
import type { Clock, Process, SpawnRequest, Workspace } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import type { MemoryWorkspace } from '../workspace/memory-workspace.ts'
import type { ShellCommand } from './schema.ts'

/** @param files shared by every process of the session, as a disk would be */
export const createStoryWorkspace = (
  files: MemoryWorkspace,
  commands: readonly ShellCommand[],
  clock: Clock,
  alive: () => boolean,
): Workspace => ({
  ...files,
  write: async (path, write) => {
    if (alive()) await files.write(path, write)
  },
  spawn: async (request) => run(request, choose(request, commands, files), clock),
})

function choose(request: SpawnRequest, commands: readonly ShellCommand[], files: MemoryWorkspace): ShellCommand {
  const text = request.argv.at(-1)
  const found = commands.find(
    ({ command, when }) =>
      command === text && (!when || (has(files, when.file) && files.text(when.file).includes(when.has))),
  )
  if (found) return found
  throw new TenonError({ code: 'spawn_failed', message: `No entry for ${text}.`, action: 'Add it to `commands`.' })
}

const has = (files: MemoryWorkspace, path: string): boolean => files.files.has(`${files.root}/${path}`)

function run(_request: SpawnRequest, { out, code, ms }: ShellCommand, clock: Clock): Process {
  const killed = new AbortController()
  const over = clock.until(clock.now() + ms, killed.signal).then(
    () => ({ code, signal: null }),
    () => ({ code: null, signal: 'SIGINT' }),
  )
  return {
    pid: 1,
    exit: over,
    output: (async function* () {
      const exit = await over
      if (exit.code !== null && out !== '') yield { stream: 'out' as const, chunk: new TextEncoder().encode(out) }
    })(),
    kill: async () => killed.abort(),
    sweep: async () => [],
  }
}
