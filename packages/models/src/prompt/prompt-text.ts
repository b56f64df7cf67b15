// Parts of messages and results as the text that every provider takes; images apart from it.
import type { ModelResult } from '@tenon/core'
import type { Part, ResultPart } from '@tenon/protocol'
import type { Images, Shown } from './images.ts'

export interface Content {
  /** What is not text is named, so that the model knows that something stood there. */
  readonly text: string
  readonly images: readonly Exclude<Shown, { type: 'note' }>[]
}

export const contentOf = (parts: readonly Part[], images: Images): Content => toContent(parts, images, '\n\n')

/** Never empty: several providers refuse a result without text. */
export function resultContent({ content }: ModelResult, images: Images): Content {
  const { text, images: shown } = toContent(content, images, '\n')
  return { text: text || (shown.length ? '(image)' : '(no output)'), images: shown }
}

function toContent(parts: readonly (Part | ResultPart)[], images: Images, between: string): Content {
  const shown = parts.flatMap((part) => (part.type === 'image' ? images(part) : []))
  const texts = parts.flatMap((part) => (part.type === 'image' ? noteOf(images(part)) : toText(part)))
  return { text: texts.filter(Boolean).join(between), images: shown.filter((image) => image.type !== 'note') }
}

const noteOf = (shown: Shown): readonly string[] => (shown.type === 'note' ? [shown.text] : [])

function toText(part: Part | ResultPart): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'file':
      return [`[file ${part.path}${part.lines ? `, lines ${part.lines}` : ''}]`]
    case 'data':
      return [`[data ${part.mime}, not shown]`]
    case 'error':
      return [[`Error (${part.code}): ${part.message}`, part.next].filter(Boolean).join('\n')]
    default:
      return []
  }
}
