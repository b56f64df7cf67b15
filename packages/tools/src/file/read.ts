// Read: text with line numbers, page by page; anything else is described or refused.
import { createHash } from 'node:crypto'
import { defineTool, type ToolContext, type ToolResult } from '@tenon/core'
import { z } from 'zod'
import { fail, group, ok, plain, readsOnly, settle } from '../result.ts'
import { detectEncoding } from '../text/encoding.ts'
import { describeMissing, fileLock, filePath, fileTimeout, pathAliases, readAccess } from './access.ts'
import { describeBinary } from './binary.ts'
import { readChunks } from './chunks.ts'
import { LineWindow, maxColumns, type WindowRequest } from './line-window.ts'
import { notFile, otherEncoding } from './load.ts'
import { readLimits } from './stale.ts'

/** Bytes up to which a file that was shown whole is remembered as seen; no longer one fits a page. */
const seenLimit = 1 << 20

const schema = z.object({
  file_path: filePath,
  offset: z.int().optional().describe('First line, from 1; negative counts from the end'),
  limit: z.int().positive().optional().describe('Lines to show, at most 2,000'),
  column: z.int().positive().optional().describe('First character of each line, for very long lines'),
  view_range: z.array(z.int()).length(2).optional().meta({ hidden: true }),
})
type Input = z.infer<typeof schema>

export const read = defineTool({
  kind: 'run',
  name: 'Read',
  title: 'Read a file',
  aliases: ['read_file', 'view', 'view_file', 'open_file', 'cat'],
  description:
    'Shows a text file with line numbers (number, arrow, line): up to 2,000 lines or 50,000 characters, whole lines only; ' +
    'the last line says how to go on. A blob:<sha256> from a cut result is a path too. Folders are listed with Glob.',
  schema,
  parameterAliases: { ...pathAliases, max_lines: 'limit', start_line: 'offset', line: 'offset' },
  paths: ['file_path'],
  annotations: readsOnly,
  access: (input) => readAccess(input.file_path),
  resources: (input) => fileLock(input.file_path, 'shared'),
  timeoutMs: fileTimeout,
  run: (input, context) => settle(() => runRead(input, context)),
})

async function runRead(input: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace, signal } = context
  const path = input.file_path
  const isBlob = path.startsWith('blob:')
  const stat = isBlob ? undefined : await workspace.stat(path)
  if (stat === null)
    return fail(
      'file_missing',
      `${path} does not exist. ${await describeMissing(workspace, path)}`,
      'Check the path; Glob finds files by name.',
    )
  if (stat && stat.type !== 'file') return notFile(path, stat.type)
  const head = await workspace.read(path, { offset: 0, length: 65_536 })
  const detected = detectEncoding(head, false)
  if (detected.type === 'binary') return ok(describeBinary(path, head, stat?.size ?? head.length))
  if (detected.type === 'other') return otherEncoding(path, detected.name, detected.where)
  const request = await toRequest(input, context)
  if (request.first < 1)
    return fail(
      'args_invalid',
      `offset ${input.offset} lies before the first line of ${path}.`,
      'Use a smaller number.',
    )
  const { window, hash, size } = await scan(path, context, request)
  signal.throwIfAborted()
  return present(
    path,
    request,
    window,
    isBlob || hash === undefined ? undefined : { path: await workspace.realPath(path), sha256: hash },
    size,
  )
}

async function toRequest(input: Input, context: ToolContext): Promise<WindowRequest> {
  const [from, to] = input.view_range ?? []
  const column = input.column ?? 1
  const characters = readLimits.characters
  if (from !== undefined && to !== undefined)
    return {
      first: Math.max(1, from),
      limit: Math.min(readLimits.lines, to < from ? readLimits.lines : to - from + 1),
      column,
      characters,
    }
  const limit = Math.min(input.limit ?? readLimits.lines, readLimits.lines)
  const offset = input.offset ?? 1
  // 0 is what models send that count from 0.
  if (offset >= 0) return { first: Math.max(1, offset), limit, column, characters }
  const counter = new LineWindow({ first: 1, limit: 0, column: 1, characters: 0 })
  for await (const chunk of readChunks(context.workspace, input.file_path, context.signal)) counter.push(chunk)
  counter.end()
  return { first: Math.max(1, counter.total + offset + 1), limit, column, characters }
}

type Scanned = { readonly window: LineWindow; readonly hash: string | undefined; readonly size: number }

async function scan(path: string, { workspace, signal }: ToolContext, request: WindowRequest): Promise<Scanned> {
  const window = new LineWindow(request)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of readChunks(workspace, path, signal)) {
    // The byte order mark is not part of the first line.
    window.push(size === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk)
    if (size < seenLimit) hash.update(chunk)
    size += chunk.length
  }
  window.end()
  return { window, size, hash: size < seenLimit && window.whole ? hash.digest('hex') : undefined }
}

function present(
  path: string,
  { first, column }: WindowRequest,
  window: LineWindow,
  seen: { readonly path: string; readonly sha256: string } | undefined,
  size: number,
): ToolResult {
  const { lines, total } = window
  if (total === 0) return ok(`[${path} is empty (${plain(size)}).]`, seen ? { seen: [seen] } : {})
  if (lines.length === 0)
    return fail(
      'args_invalid',
      `${path} has ${group(total)} lines (${plain(size)}); offset ${first} lies behind them.`,
      `Use an offset from 1 to ${total}.`,
    )
  const last = first + lines.length - 1
  const stray = lines.some(({ text }) => text.includes('\ufffd'))
    ? ['some bytes are not UTF-8 and are shown as \ufffd']
    : []
  const go = last < total ? [`next offset ${last + 1}`] : []
  const text = lines.map(
    ({ text, more }, i) =>
      `${String(first + i).padStart(6)}→${text}${more > 0 ? `…[+${more}; column ${column + maxColumns}]` : ''}`,
  )
  const footer = `[${[`lines ${first}–${last} of ${total}`, ...go, ...stray].join('; ')}]`
  return ok([...text, footer].join('\n'), {
    digest: `Read ${path.slice(-100)} lines ${first}–${last} of ${total}`,
    ...(seen && stray.length === 0 && { seen: [seen] }),
  })
}
