// Write: a file's whole content. Over an existing file its encoding mark, line endings and mode stay.
import { defineTool, type ToolContext, type ToolResult } from '@tenon/core'
import { z } from 'zod'
import { changesFiles, count, fail, ok, plain, settle } from '../result.ts'
import { spliceBetween, unifiedDiff } from '../text/diff.ts'
import { factsOf, sha256 } from '../text/facts.ts'
import { countLines, eolOf, type TextView } from '../text/view.ts'
import { fileLock, filePath, fileTimeout, pathAliases, writeAccess } from './access.ts'
import { type Loaded, loadText } from './load.ts'
import { refuseStale } from './stale.ts'

/** Characters of the diff in a result. */
const diffLimit = 4000

const endings = { lf: '\n', crlf: '\r\n', cr: '\r' } as const

const schema = z.object({
  file_path: filePath,
  content: z.string().describe('The whole new content'),
  encoding: z.string().optional().meta({ hidden: true }),
  eol: z.enum(['lf', 'crlf', 'cr']).optional().meta({ hidden: true }),
  dry_run: z.boolean().default(false).meta({ hidden: true }),
  create_dirs: z.boolean().default(true).meta({ hidden: true }),
})
type Input = z.infer<typeof schema>

export const write = defineTool({
  kind: 'run',
  name: 'Write',
  title: 'Write a file',
  aliases: ['write_file', 'file_write', 'create_file'],
  description:
    'Creates a file, or replaces the whole content of one that you have read. Missing folders are made. Prefer Edit for ' +
    'a change of part of a file.',
  schema,
  parameterAliases: {
    ...pathAliases,
    file_text: 'content',
    contents: 'content',
    text: 'content',
    create_directories: 'create_dirs',
  },
  paths: ['file_path'],
  annotations: changesFiles,
  access: (input) => writeAccess(input.file_path),
  resources: (input) => fileLock(input.file_path, 'exclusive'),
  timeoutMs: fileTimeout,
  run: (input, context) => settle(() => runWrite(input, context)),
})

async function runWrite(input: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal } = context
  if (!input.content.isWellFormed())
    return fail(
      'encoding_cannot',
      'content holds half of a surrogate pair, which no file can hold.',
      'Send the whole character.',
    )
  if (input.encoding !== undefined && !/^utf-?8(-bom)?$/i.test(input.encoding))
    return fail(
      'encoding_unsupported',
      `encoding is ${JSON.stringify(input.encoding)}; only utf-8 and utf-8-bom can be written.`,
      'Leave it out, or convert with iconv in Bash afterwards.',
    )
  const load = await loadText(workspace, input.file_path)
  signal.throwIfAborted()
  if (load.type === 'refused') return load.result
  if (load.type === 'loaded') return overwrite(input, context, load.loaded)
  if (!input.create_dirs && !(await workspace.stat(parentOf(input.file_path))))
    return fail(
      'path_missing',
      `The folder ${parentOf(input.file_path)} is not there and create_dirs is false.`,
      'Create it, or leave create_dirs out.',
    )
  const content = input.eol ? withEol(input.content, input.eol) : input.content
  return createFile(
    input.file_path,
    /-bom$/i.test(input.encoding ?? '') ? `\uFEFF${content}` : content,
    context,
    input.dry_run,
  )
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

const withEol = (content: string, eol: keyof typeof endings): string => content.replace(/\r\n?|\n/g, endings[eol])

/** A new file: the content exactly as given, mode by the umask. */
export async function createFile(
  path: string,
  content: string,
  { workspace }: ToolContext,
  dryRun = false,
): Promise<ToolResult> {
  const bytes = Buffer.from(content)
  const lines = countLines(content)
  const what = `${path} (${count(lines, 'line')}, ${plain(bytes.length)})`
  if (dryRun) return ok(`Would create ${what}`)
  await workspace.write(path, {
    bytes,
    expect: null,
    facts: factsOf(content.startsWith('\uFEFF'), eolOf(content), { added: lines, removed: 0 }),
  })
  return ok(`Created ${what}`, {
    digest: `Created ${path.slice(-120)} (${count(lines, 'line')})`,
    seen: [{ path: await workspace.realPath(path), sha256: sha256(bytes) }],
  })
}

async function overwrite(input: Input, { workspace, signal }: ToolContext, loaded: Loaded): Promise<ToolResult> {
  const { real, bytes, file, seen } = loaded
  const path = input.file_path
  const after = Buffer.from(contentOver(input, file))
  const known = [{ path: real, sha256: sha256(after) }]
  if (after.equals(bytes)) return ok(`${path} unchanged: it has this content already.`, { seen: known })
  if (seen === undefined && file.text !== '')
    return fail(
      'write_exists',
      `${path} exists (${count(countLines(file.text), 'line')}, ${plain(bytes.length)}) and you have not seen its whole text. Nothing was written.`,
      'Read it first, or change part of it with Edit.',
    )
  const stale = await refuseStale(workspace, path, loaded)
  if (stale) return stale
  const text = after.toString()
  const view = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const diff = unifiedDiff(file.view, [spliceBetween(file.view, view)], diffLimit)
  const body = diff.text || 'Only line endings or the byte order mark changed.'
  if (input.dry_run) return ok(`Would replace ${path}: +${diff.added} −${diff.removed}\n${body}`)
  signal.throwIfAborted()
  await workspace.write(path, {
    bytes: after,
    expect: bytes,
    facts: factsOf(text.startsWith('\uFEFF'), eolOf(text), diff),
  })
  return ok(`Replaced ${path} (${plain(after.length)}): +${diff.added} −${diff.removed}\n${body}`, {
    digest: `Replaced ${path.slice(-120)}: +${diff.added} −${diff.removed}`,
    seen: known,
  })
}

/** LF content takes the file's usual ending; content with CR of its own, or an explicit `eol`, stands as given. */
function contentOver(input: Input, file: TextView): string {
  const bare = input.content.replace(/^\uFEFF/, '')
  const bom = input.encoding === undefined ? file.bom || bare !== input.content : /-bom$/i.test(input.encoding)
  const text = input.eol ? withEol(bare, input.eol) : bare.includes('\r') ? bare : bare.replaceAll('\n', file.dominant)
  return (bom ? '\uFEFF' : '') + text
}
