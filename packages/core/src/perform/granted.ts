// The workspace as one call sees it: paths that were not judged are refused, every write is kept as a fact with both blobs.
import { type RunState, seenHash } from '@tenon/projections'
import { type Access, type CallRef, type DraftOf, TenonError } from '@tenon/protocol'
import type { Blobs } from '../blobs.ts'
import type { ToolWorkspace } from '../tool.ts'
import type { FileWrite, Workspace } from '../workspace.ts'

export interface Granted {
  readonly workspace: ToolWorkspace
  /** What was written so far, in order. */
  readonly changes: DraftOf<'file.changed'>[]
}

/** @param accesses the judged accesses with real paths */
export function grant(
  workspace: Workspace,
  blobs: Blobs,
  ref: CallRef,
  accesses: readonly Access[],
  seen: RunState['branch']['seen'],
  hidden: (path: string) => boolean,
): Granted {
  const changes: DraftOf<'file.changed'>[] = []
  const written = new Map<string, string>()
  const check = async (path: string, verbs: readonly Access['verb'][]): Promise<string> => {
    const real = await workspace.realPath(path)
    const granted = accesses.some(
      ({ verb, target }) => verb === 'exec' || (verbs.includes(verb) && covers(target, real)),
    )
    if (!granted) throw notGranted(real, verbs)
    return real
  }
  const readVerbs = ['read', 'write', 'delete'] as const
  return {
    changes,
    workspace: {
      root: workspace.root,
      platform: workspace.platform,
      realPath: (path) => (isBlob(path) ? Promise.resolve(path) : workspace.realPath(path)),
      // Facts about a path's neighbourhood are part of good error messages; they show no content.
      stat: (path) => (isBlob(path) ? statBlob(blobs, path) : workspace.stat(path)),
      list: (path) => workspace.list(path),
      read: async (path, range) => {
        if (isBlob(path)) return blobs.get(path.slice(5), range)
        await check(path, readVerbs)
        return workspace.read(path, range)
      },
      write: async (path, write) => {
        const real = await check(path, ['write'])
        const change = await record(workspace, blobs, ref, real, write)
        if (change.after) written.set(real, change.after.sha256)
        changes.push(change)
      },
      spawn: (request) => workspace.spawn(request),
      hidden,
      seen: (real) => written.get(real) ?? seenHash(seen, real),
    },
  }
}

const isBlob = (path: string): boolean => path.startsWith('blob:')

const covers = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

async function statBlob(blobs: Blobs, path: string) {
  const bytes = await blobs.get(path.slice(5)).catch(() => null)
  return bytes && ({ type: 'file', size: bytes.length, modifiedAt: 0, mode: 0o400, links: 1 } as const)
}

/** Both blobs are safe before the file changes: a blob that cannot be stored leaves the file, and the log, as they were. */
async function record(
  workspace: Workspace,
  blobs: Blobs,
  ref: CallRef,
  path: string,
  write: FileWrite,
): Promise<DraftOf<'file.changed'>> {
  const before = write.expect && (await blobs.put(write.expect, 'application/octet-stream'))
  const after = await blobs.put(write.bytes, 'application/octet-stream')
  await workspace.write(path, write)
  const operation = write.expect === null ? 'create' : 'edit'
  return { type: 'file.changed', by: 'tool', ref, path, operation, ...(before && { before }), after, ...write.facts }
}

const notGranted = (path: string, verbs: readonly string[]): TenonError =>
  new TenonError(
    {
      code: 'not_granted',
      message: `The call was not judged for ${verbs[0]} of ${path}.`,
      action: 'This is a bug of the tool: it must declare what it touches.',
    },
    { path },
  )
