// Where a search looks: ignore rules, hidden files, VCS folders, and globs that narrow but never re-include.
import type { ToolWorkspace } from '@tenon/core'

const vcs = ['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS'] as const
/** Left out where no repository says what to leave out. */
const litter = [
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.DS_Store',
  '.cache',
] as const

export interface Scope {
  /** Absolute. */
  readonly path: string
  readonly includeIgnored: boolean
}

/** Arguments of ripgrep. Only excluding globs are passed: an including one would switch the ignore rules off. */
export async function scopeArguments(workspace: ToolWorkspace, scope: Scope): Promise<readonly string[]> {
  const excluded: string[] = [...vcs]
  const args = ['--hidden', '--no-require-git', '--no-messages', '--color=never']
  if (scope.includeIgnored) args.push('--no-ignore')
  else {
    if (!(await inRepository(workspace, scope.path))) excluded.push(...litter)
    const own = `${workspace.root}/.tenonignore`
    if (await workspace.stat(own)) args.push('--ignore-file', own)
  }
  return [...args, ...excluded.flatMap((name) => ['--glob', `!${name}`])]
}

async function inRepository(workspace: ToolWorkspace, path: string): Promise<boolean> {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (await workspace.stat(`${at}/.git`).catch(() => null)) return true
    if (!at.includes('/')) return false
  }
}

/**
 * Does a path (absolute) lie in what a glob names below `base`? A glob without `/` names files at any depth, or with
 * `strict` those of the folder itself.
 */
export async function toFilter(
  glob: string | undefined,
  base: string,
  strict = false,
): Promise<(path: string) => boolean> {
  if (!glob) return () => true
  const { default: picomatch } = await import('picomatch')
  const pattern = glob.replace(/^\.\//, '')
  const absolute = pattern.startsWith('/')
  const anywhere = !strict && !pattern.replace(/^!/, '').includes('/')
  const matches = picomatch(pattern, { dot: true, ...(anywhere && { basename: true }) })
  return (path) => matches(absolute ? path : relative(path, base))
}

/** Below `base` without it, else as it is. */
export const relative = (path: string, base: string): string =>
  path.startsWith(base === '/' ? '/' : `${base}/`) ? path.slice(base === '/' ? 1 : base.length + 1) : path

/** Newest first, equal times by name; `undefined` for one that is gone. Asked in batches, so that descriptors do not run out. */
export async function newestFirst(workspace: ToolWorkspace, paths: readonly string[]): Promise<readonly string[]> {
  const times = new Map<string, number>()
  for (let i = 0; i < paths.length; i += 64)
    await Promise.all(
      paths
        .slice(i, i + 64)
        .map(async (path) => times.set(path, (await workspace.stat(path).catch(() => null))?.modifiedAt ?? 0)),
    )
  return [...paths].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || (a < b ? -1 : 1))
}

/** Where most of a long list lies: `src/ 120, test/ 44`. */
export function byFolder(paths: readonly string[], base: string): string {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const [first, ...rest] = relative(path, base).split('/')
    const folder = rest.length ? `${first}/` : './'
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10)
  return most.map(([folder, times]) => `${folder} ${times}`).join(', ')
}
