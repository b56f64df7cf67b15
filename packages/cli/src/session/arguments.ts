// Words after a session command.
import { usage } from '../args/parse.ts'

/** The one session that a command names. @throws TenonError `usage` */
export function oneSession(words: readonly string[], form: string): string {
  const [text, ...more] = words
  if (text === undefined)
    throw usage('No session is named.', `Write tenon session ${form}; \`tenon session list\` shows them.`)
  if (more.length > 0) throw usage(`"${more[0]}" is one word too many.`, `Write tenon session ${form}.`)
  return text
}

/** A whole number from 0, or `undefined` when the flag was not given. @throws TenonError `usage` */
export function toCount(flag: string, values: readonly string[] | undefined): number | undefined {
  const text = values?.at(-1)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usage(`${flag} needs a whole number; "${text}" is none.`, `Write ${flag} 10.`)
}
