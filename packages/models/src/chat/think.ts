// `<think>` in the text of a reply: what stands in it is reasoning. The tags may be split over chunks anywhere.
import type { Piece } from '../wire/reader.ts'

const open = '<think>'
const close = '</think>'

export interface ThinkSplitter {
  take(text: string): readonly Piece[]
  /** What was held back because it could have become a tag. */
  end(): readonly Piece[]
}

/** Only at the beginning of a reply: later ones are words about tags. */
export function createThinkSplitter(): ThinkSplitter {
  let state: 'before' | 'inside' | 'behind' | 'after' = 'before'
  let held = ''

  const take = (text: string): readonly Piece[] => {
    held += text
    if (state === 'before') {
      const start = held.trimStart()
      if (open.startsWith(start)) return start === open ? enter(open.length) : []
      if (!start.startsWith(open)) return leave()
      return enter(open.length)
    }
    if (state === 'inside') return inside()
    if (state === 'behind') return behind()
    return leave()
  }

  const enter = (length: number): readonly Piece[] => {
    state = 'inside'
    held = held.trimStart().slice(length)
    return held ? inside() : []
  }

  const inside = (): readonly Piece[] => {
    const at = held.indexOf(close)
    if (at < 0) {
      const keep = tailOf(held, close)
      const text = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return text ? [{ type: 'reasoning', text }] : []
    }
    const text = held.slice(0, at)
    held = held.slice(at + close.length)
    state = 'behind'
    return [...(text ? [{ type: 'reasoning' as const, text }] : []), { type: 'end' }, ...behind()]
  }

  /** The blank lines between the thoughts and the text belong to neither. */
  const behind = (): readonly Piece[] => {
    held = held.trimStart()
    return held ? leave() : []
  }

  const leave = (): readonly Piece[] => {
    state = 'after'
    const text = held
    held = ''
    return text ? [{ type: 'text', text }] : []
  }

  return {
    take,
    end() {
      const text = held
      held = ''
      return text ? [{ type: state === 'inside' ? 'reasoning' : 'text', text }] : []
    },
  }
}

/** Length of the end of `text` that may be the beginning of `tag`. */
export function tailOf(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length
  return 0
}
