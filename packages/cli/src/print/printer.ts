// Standard output in the chosen format, everything else on standard error.
import type { Event, Live } from '@tenon/protocol'
import { progressLines } from '../format/progress.ts'
import { type Ended, toResult } from '../format/result.ts'
import { createStreamEncoder, type InitFacts, initLine, type StreamEncoder } from '../format/stream-json.ts'
import type { Format } from './options.ts'

export interface Printer {
  init(facts: InitFacts): void
  event(event: Event): void
  live(fragment: Live): void
  end(ended: Ended): void
  /** Something that a person should know; not with `-q`. */
  notice(text: string): void
  error(text: string): void
}

export interface PrinterOptions {
  readonly format: Format
  readonly partial: boolean
  readonly verbose: boolean
  readonly quiet: boolean
}

export function createPrinter({ format, partial, verbose, quiet }: PrinterOptions): Printer {
  let encoder: StreamEncoder | undefined
  const line = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
  const tell = (text: string) => process.stderr.write(`${plain(text)}\n`)
  return {
    init(facts) {
      if (format !== 'stream-json') return
      encoder = createStreamEncoder(facts.session, partial)
      line(initLine(facts))
    },
    event(event) {
      if (format === 'events') line(event)
      for (const found of encoder?.event(event) ?? []) line(found)
      if (verbose) for (const text of progressLines(event)) tell(text)
      if (quiet || event.type !== 'tool.judged' || event.verdict !== 'deny') return
      tell(`tenon: ${event.ref.tool} was denied: ${event.reasons.join('; ')}`)
    },
    live(fragment) {
      if (format === 'events') line(fragment)
      for (const found of encoder?.live(fragment) ?? []) line(found)
    },
    end(ended) {
      const { report, failure } = ended
      if (format === 'text' && report.text !== '') process.stdout.write(`${plain(report.text)}\n`)
      if (format === 'json' || format === 'stream-json') line(toResult(ended))
      if (failure) tell(`tenon: ${failure.message}\n  ${failure.action}`)
      else if (report.denials.length > 0 && !quiet)
        tell(`tenon: ${report.denials.length} ${report.denials.length === 1 ? 'call' : 'calls'} denied`)
    },
    notice: (text) => void (quiet || tell(`tenon: ${text}`)),
    error: (text) => void tell(`tenon: ${text}`),
  }
}

/** Text of models and tools must not move a terminal's cursor: control characters go, tabs and lines stay. */
export const plain = (text: string): string => text.replace(/\r\n/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')
