// Parts of messages and results as the text that every chat server takes.
import type { ModelResult } from '@tenon/core'
import type { Part, ResultPart } from '@tenon/protocol'

/** Text of a message's parts; what is not text is named, so that the model knows that something stood there. */
export const messageText = (parts: readonly Part[]): string => parts.flatMap(toText).filter(Boolean).join('\n\n')

function toText(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'image':
      return part.url === undefined ? [`[image ${part.mime}, not shown]`] : []
    case 'file':
      return [`[file ${part.path}${part.lines ? `, lines ${part.lines}` : ''}]`]
    case 'data':
      return [`[data ${part.mime}, not shown]`]
    default:
      return []
  }
}

/** Never empty: several providers refuse a result without text. */
export const resultText = ({ content }: ModelResult): string =>
  content.map(toResultText).filter(Boolean).join('\n') || '(no output)'

function toResultText(part: ResultPart): string {
  if (part.type === 'error') return [`Error (${part.code}): ${part.message}`, part.next].filter(Boolean).join('\n')
  return toText(part).join('') || (part.type === 'image' ? `[image ${part.mime}, not shown]` : '')
}
