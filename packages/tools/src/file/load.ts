// Reads a whole file for a writer and refuses what it may not change: missing, not a file, another encoding, binary.
import type { ToolResult, ToolWorkspace } from '@tenon/core'
import { fail, plain } from '../result.ts'
import { detectEncoding } from '../text/encoding.ts'
import { sha256 } from '../text/facts.ts'
import { type TextView, toView } from '../text/view.ts'
import { describeMissing } from './access.ts'

/** Bytes above which a file is not edited: its text would no longer fit a string comfortably. */
const largest = 256 << 20

export interface Loaded {
  readonly real: string
  readonly bytes: Uint8Array
  readonly file: TextView
  readonly hash: string
  /** Names (hard links) that share the content. */
  readonly links: number
  /** What the model last saw of it; `undefined`: nothing. */
  readonly seen: string | undefined
}

export type Load =
  | { readonly type: 'loaded'; readonly loaded: Loaded }
  | { readonly type: 'missing'; readonly real: string; readonly refusal: () => Promise<ToolResult> }
  | { readonly type: 'refused'; readonly result: ToolResult }

export async function loadText(workspace: ToolWorkspace, path: string): Promise<Load> {
  const real = await workspace.realPath(path)
  const stat = await workspace.stat(path)
  if (!stat) return { type: 'missing', real, refusal: () => missing(workspace, path) }
  if (stat.type !== 'file') return refused(notFile(path, stat.type))
  if (stat.size > largest)
    return refused(
      fail(
        'too_large',
        `${path} has ${plain(stat.size)}; at most ${plain(largest)} can be edited.`,
        'Change it with a command in Bash (sed, a script).',
      ),
    )
  const bytes = await workspace.read(path)
  const detected = detectEncoding(bytes)
  if (detected.type === 'binary')
    return refused(
      fail(
        'encoding_unsupported',
        `${path} is binary (${plain(bytes.length)}), not text.`,
        'Change it with a program in Bash.',
      ),
    )
  if (detected.type === 'other') return refused(otherEncoding(path, detected.name, detected.where))
  return {
    type: 'loaded',
    loaded: { real, bytes, file: toView(bytes), hash: sha256(bytes), links: stat.links, seen: workspace.seen(real) },
  }
}

const refused = (result: ToolResult): Load => ({ type: 'refused', result })

const missing = async (workspace: ToolWorkspace, path: string): Promise<ToolResult> =>
  fail(
    'file_missing',
    `${path} does not exist. ${await describeMissing(workspace, path)}`,
    'Check the path, or create the file with Write.',
  )

export const notFile = (path: string, type: 'folder' | 'other'): ToolResult =>
  type === 'folder'
    ? fail('not_a_file', `${path} is a folder.`, 'List it with Glob (pattern "*"), or name a file inside it.')
    : fail(
        'not_a_file',
        `${path} is a pipe, socket or device; reading it could wait for ever.`,
        'Use Bash with a limit (head -c, timeout) if it must be read.',
      )

export const otherEncoding = (path: string, name: string, where: string): ToolResult =>
  fail(
    'encoding_unsupported',
    `${path} is in an encoding that is not supported: ${name} (shown by ${where}). Nothing was changed.`,
    'Work on it with a program in Bash that knows the encoding (iconv -f ENCODING -t UTF-8 to view; python with encoding= to change).',
  )
