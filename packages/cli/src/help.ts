// `tenon help`: written from the tables of commands and flags.
import type { FlagTable } from './args/parse.ts'
import { printFlags } from './print/flags.ts'
import { sessionHelp } from './session/session.ts'

const column = 44

/** @param commands the table of subcommands */
export function help(commands: readonly { readonly usage: string; readonly help: string }[]): number {
  process.stdout.write(
    [
      'tenon -p "TEXT"            run once, print the result, exit',
      'tenon COMMAND …\n',
      ...commands.map(({ usage, help: what }) => `  ${usage.padEnd(column)} ${what}`),
      '\nFlags of -p',
      ...flagLines(printFlags),
      `\n${sessionHelp()}`,
      'Exit codes of -p: 0 done, 1 failed, 2 usage, 3 no usable model, 4 asked or denied, 5 limit, 6 provider unavailable,',
      '7 session or storage, 8 stuck, 129 130 141 143 stopped by HUP, INT, closed output, TERM.',
      '',
    ].join('\n'),
  )
  return 0
}

const flagLines = (table: FlagTable): readonly string[] =>
  Object.values(table).map(({ names, what, value, help: text }) => {
    const form = `${names.join(', ')}${what ? (value === 'optional' ? ` [${what}]` : ` ${what}`) : ''}`
    return `  ${form.padEnd(column)} ${text}`
  })
