// Cuts output to what the model is shown: head and tail with one line that says what is missing and how to read it.
import type { Blob } from '@tenon/protocol'
import { group, plain } from '../result.ts'
import { type Collected, countBreaks } from './collect.ts'
import { type ScreenLine, toScreenLines } from './screen.ts'

/** Characters shown: the verdict of a command stands at its end. */
const shownLimits = { head: 5000, tail: 7000 } as const

export interface Presented {
  readonly text: string
  readonly shown: number
  /** Characters of all that was rendered, or the bytes of the whole when not all was. */
  readonly total: number
}

export function presentOutput(output: Collected, blob: Blob | null): Presented {
  const first = toScreenLines(output.gap === 0 ? Buffer.concat([output.head, output.tail]) : output.head)
  const whole = join(first)
  if (output.gap === 0 && whole.length <= shownLimits.head + shownLimits.tail)
    return { text: whole, shown: whole.length, total: whole.length }
  const second = output.gap === 0 ? first : toScreenLines(output.tail)
  const head = takeHead(first)
  const tail = takeTail(second)
  const total = output.gap === 0 ? whole.length : output.bytes
  const cut = cutLine(output, head, tail.raw, blob)
  return { text: `${head.text}\n${cut}\n${tail.text}`, shown: head.text.length + tail.text.length, total }
}

const join = (lines: readonly ScreenLine[]): string => lines.map(({ text }) => text).join('\n')

/** `raw`: bytes from the start that the taken lines stand for. */
type Taken = { readonly text: string; readonly raw: number }

function takeHead(lines: readonly ScreenLine[]): Taken {
  let size = 0
  let taken = 0
  for (const line of lines) {
    if (size + line.text.length > shownLimits.head) break
    size += line.text.length + 1
    taken++
  }
  const [line] = lines
  if (taken === 0 && line) return { text: whole(line.text.slice(0, shownLimits.head)), raw: 0 }
  return { text: join(lines.slice(0, taken)), raw: lines[taken - 1]?.end ?? 0 }
}

/** `raw` here: bytes from the end. */
function takeTail(lines: readonly ScreenLine[]): Taken {
  let size = 0
  let from = lines.length
  while (from > 0 && size + (lines[from - 1]?.text.length ?? 0) <= shownLimits.tail)
    size += (lines[--from]?.text.length ?? 0) + 1
  const length = lines.at(-1)?.end ?? 0
  const last = lines.at(-1)
  if (from === lines.length && last) return { text: whole(last.text.slice(-shownLimits.tail)), raw: 0 }
  return { text: join(lines.slice(from)), raw: length - (lines[from - 1]?.end ?? 0) }
}

/** Never half of a pair of surrogates. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')

function cutLine(output: Collected, head: Taken, tailRaw: number, blob: Blob | null): string {
  const bytes = output.gap === 0 ? Buffer.concat([output.head, output.tail]) : output.head
  const end = output.gap === 0 ? bytes : output.tail
  const before = countBreaks(bytes.subarray(0, head.raw))
  const after = countBreaks(end.subarray(end.length - tailRaw))
  const open = end.at(-1) === 10 || end.at(-1) === 13 ? 0 : 1
  const lines = output.breaks + open
  const missing = Math.max(1, lines - before - after - (tailRaw > 0 ? open : 0))
  const where = blob ? `whole: blob:${blob.sha256}; Read it with offset ${before + 1}` : `${plain(output.bytes)} in all`
  return `[cut: ${group(missing)} of ${group(lines)} lines; ${where}]`
}
