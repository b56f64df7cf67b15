// The ContextSource port: the environment block and the instruction files. Nothing that changes by itself (date, time,
// git state) stands here: these blocks are part of the cached prefix.
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ContextSource, toBlock } from '@tenon/core'
import type { Block } from '@tenon/protocol'
import { type Instruction, readInstructions } from './instructions.ts'

export interface ContextOptions {
  /** Folder of the user's own `AGENTS.md`. */
  readonly config: string
}

export function createContextSource({ config }: ContextOptions): ContextSource {
  return {
    async blocks({ cwd }) {
      const root = await findRoot(cwd)
      const instructions = await readInstructions(foldersBetween(root ?? cwd, cwd), config)
      return [environment(cwd, root), ...instructions.map(toInstructionBlock)]
    },
  }
}

/** The nearest folder at or above `cwd` that is a git repository's, or `undefined`. */
export async function findRoot(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = await stat(join(folder, '.git')).catch(() => undefined)
    if (found) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** From `root` down to `cwd`, both included. */
function foldersBetween(root: string, cwd: string): readonly string[] {
  const folders = [cwd]
  for (let folder = cwd; folder !== root && dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.unshift(folder)
  }
  return folders
}

function environment(cwd: string, root: string | undefined): Block {
  const git = root === undefined ? 'no' : root === cwd ? 'yes' : `yes, root ${root}`
  return toBlock(
    'environment',
    'builtin',
    `Environment:\n- Working folder: ${cwd}\n- Platform: ${process.platform}\n- Git repository: ${git}`,
  )
}

const toInstructionBlock = ({ path, text, cut }: Instruction): Block =>
  toBlock(
    `instructions:${path}`,
    path,
    `Instructions from ${path}:\n\n${text}${cut ? `\n\n[cut: the file has ${cut} bytes; read it for the rest]` : ''}`,
  )
