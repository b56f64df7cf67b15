// What file tools have in common: the path's access and lock, how it is found, and what to say when it is not.
import type { ToolPlace, Workspace } from '@tenon/core'
import type { Access, Resource } from '@tenon/protocol'
import { z } from 'zod'
import { nearNames } from '../text/similar.ts'

/** Milliseconds for one file operation. */
export const fileTimeout = (): number => 30_000

export const filePath = z.string().min(1).describe('Absolute path, or relative to the working directory')

/** Other names of `file_path`; keys that differ only in case or `_` need no entry. */
export const pathAliases = { path: 'file_path', filename: 'file_path', file: 'file_path' } as const

export const readAccess = (path: string): readonly Access[] => [{ verb: 'read', target: path }]
export const writeAccess = (path: string): readonly Access[] => [{ verb: 'write', target: path }]
export const fileLock = (path: string, mode: Resource['mode']): readonly Resource[] =>
  path.startsWith('blob:') ? [] : [{ key: `file:${path}`, mode }]
export const treeLock = (path: string | undefined, place: ToolPlace, mode: Resource['mode']): readonly Resource[] => [
  { key: `tree:${path ?? place.cwd}`, mode },
]

/** Why a path is not there: names nearby, or the folder that is missing. */
export async function describeMissing(workspace: Workspace, path: string): Promise<string> {
  const cut = path.lastIndexOf('/')
  const [folder, name] = [path.slice(0, cut) || '/', path.slice(cut + 1)]
  const entries = await workspace.list(folder).catch(() => undefined)
  const cwd = `The working directory is ${workspace.root}.`
  if (!entries) return `Its folder ${folder} is not there either. ${cwd}`
  const names = entries.map((entry) => entry.name)
  const twin = names.find((other) => other.normalize('NFC').toLowerCase() === name.normalize('NFC').toLowerCase())
  if (twin)
    return `${JSON.stringify(twin)} is there: the name differs in ${twin.toLowerCase() === name.toLowerCase() ? 'case' : 'Unicode form'}.`
  const near = nearNames(name, names)
  return near.length
    ? `Near names in ${folder}: ${near.join(', ')}. ${cwd}`
    : `Nothing in ${folder} has a name like it. ${cwd}`
}
