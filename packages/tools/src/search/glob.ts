// Glob: files by name, newest first.
import { defineTool, type ToolContext, type ToolResult } from '@tenon/core'
import { z } from 'zod'
import { describeMissing, readAccess, treeLock } from '../file/access.ts'
import { count, fail, group, ok, readsOnly, settle } from '../result.ts'
import { type Listed, type Listing, listFiles } from './list.ts'
import { byFolder, newestFirst } from './scope.ts'

const timeoutMs = 20_000
/** Files that are asked for their time; more are ordered by name. */
const timedLimit = 20_000
/** Characters of a result. */
const resultLimit = 30_000

const schema = z.object({
  pattern: z.string().min(1).describe('Like "**/*.ts" or "src/**/test_*.py"'),
  path: z.string().optional().describe('Folder; default: the working directory'),
  limit: z.int().positive().max(5000).default(100).describe('Most paths, at most 5,000'),
  sort: z.enum(['mtime', 'name']).default('mtime').meta({ hidden: true }),
  max_depth: z.int().positive().optional().meta({ hidden: true }),
  ignore: z.array(z.string()).optional().meta({ hidden: true }),
  include_ignored: z.boolean().default(false).describe('Also ignored files'),
})
type Input = z.infer<typeof schema>

export const glob = defineTool({
  kind: 'run',
  name: 'Glob',
  title: 'Find files by name',
  aliases: ['find_files', 'glob_search', 'file_search'],
  description:
    'Finds files by a glob pattern and returns their absolute paths, newest first. Ignored files (.gitignore) and VCS ' +
    'folders are left out, hidden files are found.',
  schema,
  parameterAliases: { root: 'path', directory: 'path', query: 'pattern', max_results: 'limit', head_limit: 'limit' },
  paths: ['path'],
  annotations: readsOnly,
  access: (input, place) => readAccess(input.path ?? place.cwd),
  resources: (input, place) => treeLock(input.path, place, 'shared'),
  timeoutMs: () => timeoutMs + 15_000,
  run: (input, context) => settle(() => runGlob(input, context)),
})

async function runGlob(input: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context
  const { path, pattern } = anchor(input.pattern, input.path ?? workspace.root)
  const stat = await workspace.stat(path)
  if (!stat)
    return fail('path_missing', `${path} does not exist. ${await describeMissing(workspace, path)}`, 'Check the path.')
  if (stat.type !== 'folder')
    return fail('not_a_folder', `${path} is not a folder.`, 'Name a folder, or Read the file.')
  const listing: Listing = {
    path,
    glob: pattern,
    strict: true,
    ignore: input.ignore,
    maxDepth: input.max_depth,
    includeIgnored: input.include_ignored,
    timeoutMs,
  }
  const listed = await listFiles(context, listing)
  if (listed.paths.length > 0) return present(input, path, await ordered(context, input, listed), listed, '')
  const deeper = pattern.includes('/') ? undefined : await listFiles(context, { ...listing, glob: `**/${pattern}` })
  if (deeper?.paths.length)
    return present(
      input,
      path,
      await ordered(context, input, deeper),
      deeper,
      `Nothing in ${path} itself; below it ("**/${pattern}"):\n`,
    )
  return nothing(context, listing, listed)
}

/** An absolute pattern brings its own folder: the part before the first wildcard. */
function anchor(pattern: string, path: string): { readonly path: string; readonly pattern: string } {
  if (!pattern.startsWith('/')) return { path, pattern: pattern.replace(/^\.\//, '') }
  const fixed = /^[^*?[{(!]*\//.exec(pattern)?.[0] ?? '/'
  return { path: fixed.replace(/\/$/, '') || '/', pattern: pattern.slice(fixed.length) || '*' }
}

async function ordered({ workspace }: ToolContext, input: Input, { paths }: Listed): Promise<readonly string[]> {
  return input.sort === 'name' || paths.length > timedLimit ? [...paths].sort() : newestFirst(workspace, paths)
}

function present(input: Input, base: string, paths: readonly string[], listed: Listed, lead: string): ToolResult {
  const most = Math.max(1, Math.floor(resultLimit / Math.max(1, average(paths) + 1)))
  const shown = paths.slice(0, Math.min(input.limit, most))
  const notes: string[] = []
  if (shown.length < paths.length)
    notes.push(
      `[${shown.length} of ${group(paths.length)} shown; narrow the pattern or raise limit. By folder: ${byFolder(paths, base)}]`,
    )
  if (input.sort === 'mtime' && paths.length > timedLimit) notes.push('[too many to order by time: ordered by name]')
  if (listed.stopped)
    notes.push(
      `[stopped ${listed.stopped === 'time' ? `after ${timeoutMs / 1000} s` : 'at 100,000 files'}: the list is partial]`,
    )
  return ok(lead + [...shown, ...notes].join('\n'), { digest: count(paths.length, 'file') })
}

const average = (paths: readonly string[]): number =>
  paths.length === 0
    ? 0
    : paths.slice(0, 1000).reduce((sum, path) => sum + path.length, 0) / Math.min(1000, paths.length)

async function nothing(context: ToolContext, listing: Listing, listed: Listed): Promise<ToolResult> {
  const lead = `No file matches ${JSON.stringify(listing.glob)} in ${listing.path}.`
  if (listed.stopped) return ok(`${lead} [stopped after ${timeoutMs / 1000} s: not everything was looked at]`)
  const ignored = listing.includeIgnored
    ? undefined
    : await listFiles(context, { ...listing, includeIgnored: true, timeoutMs: 3000 })
  const hint = ignored?.paths.length
    ? ` Among ignored files: ${count(ignored.paths.length, 'file')} (set include_ignored).`
    : ''
  return ok(lead + hint, { digest: 'no file' })
}
