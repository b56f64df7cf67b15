// "Seen" and "stale": nobody overwrites a change that the model has not seen.
import type { ToolResult, ToolWorkspace } from '@tenon/core'
import { fail } from '../result.ts'
import { spliceBetween, unifiedDiff } from '../text/diff.ts'
import { toView } from '../text/view.ts'
import type { Loaded } from './load.ts'

/** What one Read can show: a file beyond it can never have been seen whole. */
export const readLimits = { lines: 2000, characters: 50_000 } as const

/** Characters of the diff that a refusal shows. */
const diffLimit = 12_000

/** Read shows number and arrow before every line. */
const numbered = (lines: number): number => lines * 7

export function fitsOneRead(view: string): boolean {
  const lines = view.split('\n').length
  return lines <= readLimits.lines && view.length + numbered(lines) <= readLimits.characters
}

/**
 * `edit_stale` when the file is not what the model saw. The change, or the whole file where the old content is not kept,
 * is shown and counts as seen, so the same call sent again goes through.
 */
export async function refuseStale(
  workspace: ToolWorkspace,
  path: string,
  loaded: Loaded,
): Promise<ToolResult | undefined> {
  const { seen, hash, file, real } = loaded
  if (seen === undefined || seen === hash) return undefined
  const message = `${path} was changed since you saw it (by a command, an editor or another agent). Nothing was written.`
  const extra = { seen: [{ path: real, sha256: hash }] }
  const before = await workspace.read(`blob:${seen}`).catch(() => undefined)
  if (before) {
    const old = toView(before).view
    const diff = unifiedDiff(old, [spliceBetween(old, file.view)], diffLimit)
    const whole = diff.text.length < diffLimit
    return fail(
      'edit_stale',
      message,
      whole ? 'The change is below. If your call still fits it, send it again.' : 'Read the file again, then decide.',
      diff.text,
      whole ? extra : {},
    )
  }
  if (!fitsOneRead(file.view)) return fail('edit_stale', message, 'Read the file again, then decide.')
  const now = file.view.split('\n').map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
  return fail(
    'edit_stale',
    message,
    'Its text as it is now is below. If your call still fits it, send it again.',
    now.join('\n'),
    extra,
  )
}
