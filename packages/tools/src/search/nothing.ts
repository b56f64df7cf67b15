// Zero hits, explained: what was searched and which change of the query would find something.
import type { ToolContext, ToolResult } from '@tenon/core'
import { count, ok } from '../result.ts'
import { type Answer, ask, type Query } from './grep-query.ts'
import { listFiles } from './list.ts'
import { relative } from './scope.ts'

/** Milliseconds for each of the questions asked after nothing was found. */
const patience = 3000

export async function explainNothing(context: ToolContext, query: Query, answer: Answer): Promise<ToolResult> {
  const where = relative(query.path, context.workspace.root) || query.path
  const narrowed = [query.glob && `glob ${query.glob}`, query.type && `type ${query.type}`].filter(Boolean).join(', ')
  const lead = `No match for ${JSON.stringify(query.pattern)} in ${where === context.workspace.root ? 'the working directory' : where}${narrowed ? ` (${narrowed})` : ''}.`
  if (answer.stopped)
    return ok(`${lead} [stopped after ${query.timeoutMs / 1000} s: not everything was searched. Narrow path or glob.]`)
  const hints = query.path.startsWith('blob:') ? [] : await findHints(context, query)
  return ok([lead, ...hints].join(' '), { digest: `no match for ${query.pattern.slice(0, 80)}` })
}

async function findHints(context: ToolContext, query: Query): Promise<readonly string[]> {
  const hits = async (change: Partial<Query>): Promise<number> => {
    const { counts } = await ask(
      context.workspace,
      { ...query, ...change, before: 0, after: 0, timeoutMs: patience },
      true,
      context.signal,
    )
    return [...counts.values()].reduce((sum, each) => sum + each, 0)
  }
  const found: string[] = []
  if (!query.ignoreCase && /\p{L}/u.test(query.pattern)) {
    const lines = await hits({ ignoreCase: true })
    if (lines) found.push(`Ignoring case: ${count(lines, 'line')} (set -i).`)
  }
  if (!query.includeIgnored) {
    const lines = await hits({ includeIgnored: true })
    if (lines) found.push(`In ignored files: ${count(lines, 'line')} (set include_ignored).`)
  }
  if (query.glob) {
    const listed = await listFiles(context, {
      path: query.path,
      glob: query.glob,
      includeIgnored: query.includeIgnored,
      timeoutMs: patience,
    })
    found.push(
      listed.paths.length ? `The glob names ${count(listed.paths.length, 'file')}.` : 'The glob names no file at all.',
    )
    if (listed.paths.length) {
      const lines = await hits({ glob: undefined })
      if (lines) found.push(`Without the glob: ${count(lines, 'line')}.`)
    }
  }
  return found
}
