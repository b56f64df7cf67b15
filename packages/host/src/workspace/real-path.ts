// Real paths, also of what does not exist yet: the deepest existing ancestor is resolved, dangling links are followed.
import { readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { TenonError } from '@tenon/protocol'
import { codeOf, toFileError } from './failure.ts'

/** As many links as the kernel follows. */
const maxLinks = 40

/** @throws TenonError `path_invalid` for a loop of links */
export async function resolveReal(path: string): Promise<string> {
  return walk(resolve(path), maxLinks)
}

async function walk(path: string, links: number): Promise<string> {
  if (links === 0) throw loop(path)
  try {
    return await realpath(path)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw toFileError(error, path)
  }
  const parent = dirname(path)
  if (parent === path) return path
  const real = join(await walk(parent, links), path.slice(parent === '/' ? 1 : parent.length + 1))
  const target = await readlink(real).catch(() => undefined)
  return target === undefined ? real : walk(resolve(dirname(real), target), links - 1)
}

const loop = (path: string): TenonError =>
  new TenonError(
    { code: 'path_invalid', message: `${path} is a loop of links.`, action: 'Name the real file.' },
    { path },
  )
