// Finds calls in the text of a stream. Text that could become a call is held back, everything else passes at once.
import { tailOf } from '../chat/think.ts'
import { lengthOfCall, markers, readCall, type WrittenCall } from './syntax.ts'

export type Found = { readonly type: 'text'; readonly text: string } | ({ readonly type: 'call' } & WrittenCall)

export interface CallScanner {
  take(text: string): readonly Found[]
  /** What was held back: a call that was cut is a call all the same, its text tells that it is cut. */
  end(): readonly Found[]
}

/** A model that goes on to make up the result is not listened to. */
const resultTag = '<tool_result'
const tags = [...markers, resultTag]
const closing = /<\/(tool_call|function)>/
const longestClose = '</tool_call>'.length

export function createCallScanner(): CallScanner {
  /** Pieces of what is held back; joined only when something can come of it, so that a long call is read once. */
  let held: string[] = []
  let inCall = false
  let over = false
  let tail = ''

  const scan = (isEnd: boolean): readonly Found[] => {
    const found: Found[] = []
    let text = held.join('')
    inCall = false
    while (text && !over && !inCall) {
      const at = firstTag(text)
      if (at !== 0) {
        const passed = at > 0 ? at : text.length - (isEnd ? 0 : Math.max(...tags.map((tag) => tailOf(text, tag))))
        found.push(...toText(text.slice(0, passed)))
        text = text.slice(passed)
        if (at < 0) break
      } else if (text.startsWith(resultTag)) {
        over = true
      } else {
        const length = lengthOfCall(text, isEnd) ?? (isEnd ? text.length : 0)
        inCall = length === 0
        if (length) found.push(toFound(text.slice(0, length)))
        text = text.slice(length)
      }
    }
    held = over ? [] : [text]
    return found
  }

  return {
    take(text) {
      if (over) return []
      held.push(text)
      const fresh = tail + text
      tail = fresh.slice(-longestClose)
      return inCall && !closing.test(fresh) ? [] : scan(false)
    },
    end: () => (over ? [] : scan(true)),
  }
}

const toText = (text: string): readonly Found[] => (text ? [{ type: 'text', text }] : [])

function toFound(text: string): Found {
  const call = readCall(text)
  return call ? { type: 'call', ...call } : { type: 'text', text }
}

/** Where the first tag stands; -1 when there is none. */
function firstTag(text: string): number {
  const places = tags.map((tag) => text.indexOf(tag)).filter((place) => place >= 0)
  return places.length ? Math.min(...places) : -1
}
