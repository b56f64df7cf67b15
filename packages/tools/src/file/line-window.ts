// Cuts a range of lines out of a stream of bytes. Keeps only what is shown, whatever the length of file and lines.
import { StringDecoder } from 'node:string_decoder'

/** Characters of one line that are shown. */
export const maxColumns = 2000

export interface WindowRequest {
  /** 1-based. */
  readonly first: number
  readonly limit: number
  /** 1-based first character of each line. */
  readonly column: number
  /** Characters in all, numbers included. */
  readonly characters: number
}

export interface ShownLine {
  readonly text: string
  /** Characters of the line behind what is shown. */
  readonly more: number
}

/** Fed with bytes; a line ends with LF, CR LF or CR. */
export class LineWindow {
  readonly lines: ShownLine[] = []
  /** Lines that ended so far, and one more once `end` was called on an open line. */
  total = 0
  /** A later line of the range was left out because the characters were used up. */
  full = false
  private readonly request: WindowRequest
  private used = 0
  private afterCr = false
  private open = false
  private line = new LineCut(1)

  constructor(request: WindowRequest) {
    this.request = request
    this.line = new LineCut(request.column)
  }

  push(bytes: Uint8Array): void {
    let from = 0
    if (this.afterCr && bytes[0] === 10) from = 1
    if (bytes.length > 0) this.afterCr = false
    const hasCr = bytes.indexOf(13, from) >= 0
    while (from < bytes.length) {
      const end = hasCr ? endOfLine(bytes, from) : bytes.indexOf(10, from)
      if (this.wanted()) this.line.push(bytes.subarray(from, end < 0 ? bytes.length : end))
      this.open = true
      if (end < 0) return
      this.finish()
      if (bytes[end] === 13 && end + 1 === bytes.length) this.afterCr = true
      from = end + (bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 1)
    }
  }

  end(): void {
    if (this.open) this.finish()
  }

  /** All lines of the file are shown, whole. */
  get whole(): boolean {
    const { first, column } = this.request
    return first === 1 && column === 1 && this.lines.length === this.total && this.lines.every(({ more }) => more === 0)
  }

  private wanted(): boolean {
    const at = this.total + 1
    return !this.full && at >= this.request.first && at < this.request.first + this.request.limit
  }

  private finish(): void {
    if (this.wanted()) {
      const shown = this.line.end()
      this.line = new LineCut(this.request.column)
      const size = shown.text.length + 8
      // The first line is always shown: a page without any could not be paged.
      if (this.used + size > this.request.characters && this.lines.length > 0) this.full = true
      else this.lines.push(shown)
      this.used += size
    }
    this.total++
    this.open = false
  }
}

function endOfLine(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) if (bytes[i] === 10 || bytes[i] === 13) return i
  return -1
}

/** One line: decodes as it comes, keeps the columns that are shown. */
class LineCut {
  private readonly decoder = new StringDecoder('utf8')
  private readonly column: number
  private length = 0
  private text = ''

  constructor(column: number) {
    this.column = column
  }

  push(bytes: Uint8Array): void {
    this.take(this.decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  }

  end(): ShownLine {
    this.take(this.decoder.end())
    // A pair of surrogates is one character to the model: never half of it.
    const text = this.text.isWellFormed() ? this.text : this.text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    return { text, more: Math.max(0, this.length - (this.column - 1) - this.text.length) }
  }

  private take(piece: string): void {
    const from = Math.max(0, this.column - 1 - this.length)
    const room = maxColumns - this.text.length
    if (room > 0 && from < piece.length) this.text += piece.slice(from, from + room)
    this.length += piece.length
  }
}
