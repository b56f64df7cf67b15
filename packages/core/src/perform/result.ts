// A tool's result as its event, within the caps of the log.
import type { CallRef, DraftOf, ResultPart } from '@tenon/protocol'
import type { ToolResult } from '../tool.ts'

/** Characters of text that one result may hold, whatever the tool says. */
const contentChars = 100_000

export function toFinished(ref: CallRef, result: ToolResult, ms: number): DraftOf<'tool.finished'> {
  const content = cap(result.content)
  const chars = content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  const { status, structured, digest, raw, exit, seen, note } = result
  return {
    type: 'tool.finished',
    by: 'tool',
    ref,
    status,
    content,
    shown: result.shown ?? chars,
    total: result.total ?? chars,
    ms,
    ...(structured !== undefined && { structured }),
    ...(digest !== undefined && { digest: digest.slice(0, 200) }),
    ...(raw && { raw }),
    ...(exit !== undefined && { exit }),
    ...(seen && { seen }),
    ...(note !== undefined && { note }),
  }
}

function cap(content: readonly ResultPart[]): readonly ResultPart[] {
  let left = contentChars
  return content.map((part) => {
    if (part.type !== 'text') return part
    const text =
      part.text.length > left
        ? `${part.text.slice(0, Math.max(0, left))}\n[cut: ${part.text.length - left} characters more]`
        : part.text
    left -= part.text.length
    return text === part.text ? part : { ...part, text }
  })
}
