// Grep: text search over files, newest file first, with what is missing said.
import { defineTool, type ToolContext, type ToolResult } from '@tenon/core'
import { describeMissing, readAccess, treeLock } from '../file/access.ts'
import { fail, readsOnly, settle } from '../result.ts'
import { type GrepInput, grepSchema } from './grep-input.ts'
import { presentAnswer } from './grep-present.ts'
import { type Answer, ask, type Query } from './grep-query.ts'
import { explainNothing } from './nothing.ts'

export const grep = defineTool({
  kind: 'run',
  name: 'Grep',
  title: 'Search in files',
  aliases: ['search', 'search_file_content', 'grep_search', 'search_files', 'ripgrep'],
  description:
    'Searches file contents with ripgrep, newest file first. Ignored files (.gitignore) and VCS folders are left out, ' +
    'hidden files are searched. Use it instead of grep or rg in Bash.',
  schema: grepSchema,
  parameterAliases: {
    query: 'pattern',
    regex: 'pattern',
    root: 'path',
    directory: 'path',
    include: 'glob',
    file_glob: 'glob',
    include_glob: 'glob',
    file_type: 'type',
    context: '-C',
    context_lines: '-C',
    before_context: '-B',
    after_context: '-A',
    case_insensitive: '-i',
    ignore_case: '-i',
    limit: 'head_limit',
    max_results: 'head_limit',
    fixed_string: 'literal',
    fixed_strings: 'literal',
  },
  paths: ['path'],
  annotations: readsOnly,
  access: (input, place) => readAccess(input.path ?? place.cwd),
  resources: (input, place) => (input.path?.startsWith('blob:') ? [] : treeLock(input.path, place, 'shared')),
  timeoutMs: (input) => input.timeout + 15_000,
  run: (input, context) => settle(() => runGrep(input, context)),
})

async function runGrep(input: GrepInput, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal } = context
  const path = input.path ?? workspace.root
  const stat = path.startsWith('blob:') ? { type: 'file' as const } : await workspace.stat(path)
  if (!stat)
    return fail('path_missing', `${path} does not exist. ${await describeMissing(workspace, path)}`, 'Check the path.')
  if (stat.type === 'other')
    return fail('not_a_file', `${path} is a pipe, socket or device.`, 'Name a file or a folder.')
  const query = toQuery(input, path, stat.type === 'folder' ? path : workspace.root)
  const answer = await ask(workspace, query, input.output_mode !== 'content', signal)
  const broken = await explainBroken(context, query, answer)
  if (broken) return broken
  if (answer.files.size === 0 && answer.counts.size === 0) return explainNothing(context, query, answer)
  return presentAnswer(workspace, input, query, answer)
}

const toQuery = (input: GrepInput, path: string, base: string): Query => ({
  pattern: input.pattern,
  path,
  base,
  // A file that is named is always searched.
  ...(base === path && { glob: input.glob, type: input.type }),
  before: input['-B'] ?? input['-C'] ?? 0,
  after: input['-A'] ?? input['-C'] ?? 0,
  ignoreCase: input.case_sensitive === undefined ? input['-i'] : !input.case_sensitive,
  multiline: input.multiline,
  literal: input.literal,
  pcre: input.pcre,
  includeIgnored: input.include_ignored,
  onlyMatching: input['-o'],
  timeoutMs: input.timeout,
})

/** Exit code 2 with nothing found: the pattern, the type or the glob is wrong. */
async function explainBroken(context: ToolContext, query: Query, answer: Answer): Promise<ToolResult | undefined> {
  if (answer.code !== 2 || answer.stopped || answer.files.size > 0 || answer.counts.size > 0 || answer.stderr === '')
    return undefined
  const why = answer.stderr.trim().replace(/^rg: /, '')
  if (/unrecognized file type/.test(why))
    return fail(
      'args_invalid',
      `type ${JSON.stringify(query.type)} is not known.`,
      'Use glob instead, such as "*.ext".',
    )
  if (/error parsing glob/i.test(why))
    return fail('pattern_invalid', `glob ${JSON.stringify(query.glob)} is not valid: ${why}`, 'Correct the glob.')
  if (query.literal) return fail('tool_failed', `The search failed: ${why}`, 'Change the call.')
  const literal = await ask(
    context.workspace,
    { ...query, literal: true, pcre: false, multiline: false, timeoutMs: 5000 },
    true,
    context.signal,
  )
  const hits = [...literal.counts.values()].reduce((sum, hits) => sum + hits, 0)
  return fail(
    'pattern_invalid',
    `The pattern ${JSON.stringify(query.pattern)} is not a valid regular expression:\n${why}`,
    hits > 0
      ? `As plain text it stands in ${hits} lines: set literal.`
      : 'Escape special characters with \\, or set literal.',
  )
}
