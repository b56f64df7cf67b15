// Instruction files: the user's own first, then AGENTS.md of each folder from the project's root down.
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface Instruction {
  readonly path: string
  readonly text: string
  /** Bytes of the whole file, when it was cut. */
  readonly cut?: number
}

const limit = 32 << 10
/** In each folder the first that is there. */
const names = ['AGENTS.md', 'CLAUDE.md']

/** Missing, unreadable and empty files are left out. */
export async function readInstructions(folders: readonly string[], config: string): Promise<readonly Instruction[]> {
  const own = await readInstruction(join(config, 'AGENTS.md'))
  const found = await Promise.all(folders.map(readFirst))
  return [own, ...found].filter((instruction) => instruction !== undefined)
}

async function readFirst(folder: string): Promise<Instruction | undefined> {
  for (const name of names) {
    const found = await readInstruction(join(folder, name))
    if (found) return found
  }
  return undefined
}

/** A pipe is not waited for, and a link that leads out of its folder is not followed: a repository may hold either. */
async function readInstruction(path: string): Promise<Instruction | undefined> {
  if (!(await staysInFolder(path))) return undefined
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) return undefined
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(facts.size, limit)))
    const text = decode(buffer.subarray(0, bytesRead), facts.size > limit)
    if (text.trim() === '') return undefined
    return { path, text: text.trimEnd(), ...(facts.size > limit && { cut: facts.size }) }
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

async function staysInFolder(path: string): Promise<boolean> {
  const [real, folder] = await Promise.all([realpath(path), realpath(dirname(path))]).catch(() => ['', ''])
  return real !== '' && (real === join(folder, basename(path)) || real.startsWith(`${folder}/`))
}

/** A character that the cut split is dropped, not marked. */
const decode = (bytes: Uint8Array, cut: boolean): string => new TextDecoder().decode(bytes, { stream: cut })
