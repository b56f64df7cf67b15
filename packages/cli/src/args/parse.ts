// Arguments by a table of flags: `--flag value`, `--flag=value`, `-f value`; `--` ends the flags.
import { TenonError } from '@tenon/protocol'
import { nearest } from './nearest.ts'

interface Flag {
  readonly names: readonly string[]
  /** What follows the flag: nothing, one value, or one if the next word is no flag. */
  readonly value?: 'one' | 'optional'
  /** Name of the value in the help. */
  readonly what?: string
  readonly help: string
}

export type FlagTable = Readonly<Record<string, Flag>>

export interface Parsed<T extends FlagTable> {
  /** Per flag that was given: its values, one each time it had one. */
  readonly flags: { readonly [K in keyof T]?: readonly string[] }
  readonly words: readonly string[]
}

/** @throws TenonError `usage`: an unknown flag with the nearest one, a value that is missing or too much */
export function parseFlags<T extends FlagTable>(table: T, args: readonly string[]): Parsed<T> {
  const flags: { [K in keyof T]?: string[] } = {}
  const words: string[] = []
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? ''
    if (word === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (!word.startsWith('-') || word === '-' || /^-\d/.test(word)) {
      words.push(word)
      continue
    }
    const { name, key, flag, text } = findFlag(table, word)
    flags[key] ??= []
    const values = flags[key]
    const following = args[i + 1]
    if (text !== undefined) values?.push(text)
    else if (flag.value === 'one') {
      if (following === undefined) throw usage(`${name} needs a value.`, `Write ${name} ${flag.what ?? 'VALUE'}.`)
      values?.push(following)
      i++
    } else if (flag.value === 'optional' && following !== undefined && !/^-./.test(following)) {
      values?.push(following)
      i++
    }
  }
  return { flags, words }
}

function findFlag<T extends FlagTable>(table: T, word: string) {
  const [, name = word, text] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  for (const [key, flag] of Object.entries(table)) {
    if (!flag.names.includes(name)) continue
    if (text !== undefined && !flag.value) throw usage(`${name} takes no value.`, `Write ${name} alone.`)
    return { name, key: key as keyof T, flag, text }
  }
  throw unknownFlag(table, name)
}

function unknownFlag(table: FlagTable, name: string): TenonError {
  const names = Object.values(table).flatMap((flag) => flag.names)
  const guess = nearest(name, name.startsWith('--') ? names.filter((other) => other.startsWith('--')) : names)
  return usage(
    `There is no flag ${name}.`,
    guess ? `Did you mean ${guess}? \`tenon help\` lists them all.` : 'See `tenon help`.',
  )
}

/** A misuse of the command line: exit 2. */
export const usage = (message: string, action: string, facts: Record<string, unknown> = {}): TenonError =>
  new TenonError({ code: 'usage', message, action }, facts)

/**
 * Values separated by commas or blanks, however often the flag was given; what stands in parentheses stays whole, and
 * what follows an unclosed one too: the rule is then refused as a whole instead of losing its bracket.
 */
export const splitList = (values: readonly string[] = []): readonly string[] =>
  values.flatMap((value) => value.match(/(?:\([^)]*(?:\)|$)|[^\s,(])+/g) ?? [])
