// Lists files by glob with the rules of every search.
import type { ToolContext } from '@tenon/core'
import { runRipgrep, type Searched } from './ripgrep.ts'
import { scopeArguments, toFilter } from './scope.ts'

export interface Listing {
  /** Absolute folder (or file). */
  readonly path: string
  readonly glob?: string | undefined
  /** A glob without `/` names files of the folder itself only. */
  readonly strict?: boolean
  readonly ignore?: readonly string[] | undefined
  readonly maxDepth?: number | undefined
  readonly includeIgnored: boolean
  readonly timeoutMs: number
}

export interface Listed extends Searched {
  readonly paths: readonly string[]
}

/** Files that fit after which listing stops. */
const listLimit = 100_000

export async function listFiles({ workspace, signal }: ToolContext, listing: Listing): Promise<Listed> {
  const { path, glob, strict, ignore = [], maxDepth } = listing
  const fits = await toFilter(glob, path, strict)
  const ignored = await Promise.all(ignore.map((each) => toFilter(each, path)))
  const real = await workspace.realPath(path)
  const isHidden = (found: string) => workspace.hidden(real + found.slice(path.length))
  const paths: string[] = []
  const searched = await runRipgrep(
    workspace,
    {
      args: [
        '--files',
        '--null',
        ...(await scopeArguments(workspace, listing)),
        ...(maxDepth === undefined ? [] : ['--max-depth', String(maxDepth)]),
        '--',
        path,
      ],
      separator: 0,
      timeoutMs: listing.timeoutMs,
      take: (found) => {
        if (fits(found) && !ignored.some((isIgnored) => isIgnored(found)) && !isHidden(found)) paths.push(found)
        return paths.length < listLimit
      },
    },
    signal,
  )
  return { ...searched, paths }
}
