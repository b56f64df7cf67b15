// The demo as it is shown: what the model says, each call, what the tools print, how it ended.

import { resultText } from '@tenon/core'
import type { Event, Live } from '@tenon/protocol'
import { summarise } from '../format/progress.ts'
import { plain } from '../print/printer.ts'
import type { Style } from './style.ts'

const shownLines = 12

export interface Stage {
  event(event: Event): void
  live(fragment: Live): void
}

export function createStage(write: (text: string) => void, { bold, dim, green, red }: Style): Stage {
  let speaking = false
  const printed = new Set<string>()
  const quiet = () => {
    if (speaking) write('\n')
    speaking = false
  }
  return {
    live(fragment) {
      if (fragment.type === 'message.delta' && fragment.kind === 'text') {
        if (!speaking) write('\n')
        speaking = true
        printed.add(fragment.message)
        write(plain(fragment.text))
      } else if (fragment.type === 'tool.output') {
        quiet()
        printed.add(fragment.ref.call)
        write(dim(indent(plain(fragment.text))))
      }
    },
    event(event) {
      if (event.type === 'message.added' && event.role === 'assistant') {
        quiet()
        for (const part of event.parts) {
          if (part.type === 'text' && !printed.has(event.id)) write(`\n${plain(part.text)}\n`)
          if (part.type === 'call') write(`${bold(`▸ ${part.name}`)} ${plain(summarise(part.input))}\n`)
        }
      } else if (event.type === 'tool.finished') {
        quiet()
        const failed = event.status !== 'ok'
        if (!printed.has(event.ref.call) && event.ref.tool !== 'TodoWrite')
          write(dim(indent(clip(plain(resultText(event.content))))))
        const exit = event.exit === undefined ? '' : `, exit ${event.exit}`
        write(
          `${(failed || event.exit ? red : green)(`  ${failed ? '✗' : '✓'} ${event.ref.tool}: ${event.status}${exit}`)} ${dim(`${event.ms} ms`)}\n`,
        )
      }
    },
  }
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ').replace(/\n?$/, '\n')

function clip(text: string): string {
  const lines = text.split('\n')
  return lines.length <= shownLines
    ? text
    : [...lines.slice(0, shownLines), `… ${lines.length - shownLines} more lines`].join('\n')
}
