// Output as a terminal would leave it: carriage return, backspace and erase done, colours gone, other controls visible.
import { isUtf8 } from 'node:buffer'

export interface ScreenLine {
  readonly text: string
  /** Bytes of the raw output up to and including the line's LF. */
  readonly end: number
}

/** The raw output's lines in the order in which a terminal shows them. */
export function toScreenLines(bytes: Buffer): readonly ScreenLine[] {
  const screen = new Screen()
  let from = 0
  while (from < bytes.length) {
    const lf = bytes.indexOf(10, from)
    const end = lf < 0 ? bytes.length : lf + 1
    screen.write(decode(bytes.subarray(from, lf < 0 ? end : lf)), end)
    if (lf >= 0) screen.newLine(end)
    from = end
  }
  return screen.lines()
}

/** A sequence to end with a letter, a window title, one other escape; or a single control; or text. */
const token =
  /\x1b\[([0-9;:?<=>]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]?|[\r\b]|[\x00-\x08\x0b-\x1f\x7f-\x9f]|[^\x00-\x08\x0b-\x1f\x7f-\x9f]+/g

const hasControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

/** Columns and rows that a cursor may jump; more is a program gone wild. */
const farthest = 1000

/** `text` until a cursor moved in the line, then one character a cell. */
type Row = { text: string; cells: string[] | undefined; end: number }

class Screen {
  private readonly rows: Row[] = []
  private row = 0
  private column = 0

  write(text: string, end: number): void {
    const row = this.rows[this.row]
    if (!hasControls.test(text) && !row?.text && !row?.cells && this.column === 0) {
      if (text) this.current(end).text = text
      return
    }
    for (const [part, parameters = '', final] of text.matchAll(token)) {
      if (part === '\r') this.column = 0
      else if (part === '\b') this.column = Math.max(0, this.column - 1)
      else if (final) this.move(final, parameters, end)
      else if (!part.startsWith('\x1b')) this.put(part, end)
    }
  }

  newLine(end: number): void {
    this.current(end)
    this.row++
    this.column = 0
  }

  lines(): readonly ScreenLine[] {
    // A line that was painted over later ends where its last writer ended; ends never go back.
    let end = 0
    return this.rows.map((row) => {
      end = Math.max(end, row.end)
      return { text: row.cells ? row.cells.join('').replace(/ +$/, '') : row.text, end }
    })
  }

  private current(end: number): Row {
    while (this.rows.length <= this.row) this.rows.push({ text: '', cells: undefined, end })
    const row = this.rows[this.row] ?? { text: '', cells: undefined, end }
    row.end = Math.max(row.end, end)
    return row
  }

  private cells(end: number): string[] {
    const row = this.current(end)
    row.cells ??= [...row.text]
    return row.cells
  }

  private move(final: string, parameters: string, end: number): void {
    const by = Math.min(Number(parameters.split(';')[0]) || 1, farthest)
    if (final === 'A') this.row = Math.max(0, this.row - by)
    else if (final === 'B') this.row = Math.min(this.row + by, Math.max(this.row, this.rows.length - 1))
    else if (final === 'C') this.column += by
    else if (final === 'D') this.column = Math.max(0, this.column - by)
    else if (final === 'G') this.column = by - 1
    else if (final === 'K') this.erase(parameters, end)
  }

  private put(text: string, end: number): void {
    const cells = this.cells(end)
    for (const character of text) {
      while (cells.length < this.column) cells.push(' ')
      cells[this.column++] = visible(character)
    }
  }

  private erase(parameters: string, end: number): void {
    const cells = this.cells(end)
    if (parameters === '2') cells.length = 0
    else if (parameters === '1') cells.fill(' ', 0, this.column + 1)
    else cells.length = Math.min(cells.length, this.column)
  }
}

/** NUL and other controls as `\xNN`; tab and text as they are. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  return (code < 32 && code !== 9) || (code >= 127 && code < 160)
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : character
}

/** UTF-8; bytes that are not become `\xNN`, so that whatever a program prints is text. */
function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  let out = ''
  let good = 0
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i)
    if (length > 0) {
      i += length
      continue
    }
    out += `${bytes.subarray(good, i).toString()}\\x${(bytes[i] ?? 0).toString(16)}`
    good = ++i
  }
  return out + bytes.subarray(good).toString()
}

/** Bytes of the character at `at`; 0 when it is not UTF-8. */
function sequenceLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte < 0x80) return 1
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
  return byte >= 0xc2 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
