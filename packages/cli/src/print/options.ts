// Flags of a headless run, checked once and turned into what the run needs. Refuses before anything is opened.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Limits, type PermissionMode, permissionModes } from '@tenon/protocol'
import { nearest } from '../args/nearest.ts'
import { parseFlags, splitList, usage } from '../args/parse.ts'
import { printFlags } from './flags.ts'

const formats = ['text', 'json', 'stream-json', 'events'] as const
export type Format = (typeof formats)[number]
const askWays = ['deny', 'stop', 'wait'] as const

export interface PrintOptions {
  /** What was typed: words, and the file of `-f`. `undefined`: nothing. */
  readonly prompt: string | undefined
  readonly promptFile: string | undefined
  /** Session to go on with: `last` within the project, or what `-r` names. */
  readonly resume: { readonly text: string; readonly inProject: boolean } | undefined
  readonly sessionId: `ses_${string}` | undefined
  readonly title: string | undefined
  readonly persist: boolean
  readonly takeOver: boolean
  /** Real path. */
  readonly cwd: string
  /** True when `--cwd` was given: a resumed session then works there. */
  readonly cwdGiven: boolean
  readonly model: string | undefined
  readonly limits: Limits
  readonly mode: PermissionMode | undefined
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly onAsk: (typeof askWays)[number]
  readonly strict: boolean
  readonly format: Format
  readonly partial: boolean
  readonly output: string | undefined
  readonly verbose: boolean
  readonly quiet: boolean
}

/** @throws TenonError `usage` */
export function toPrintOptions(args: readonly string[]): PrintOptions {
  const { flags, words } = parseFlags(printFlags, args)
  const last = (values: readonly string[] | undefined) => values?.at(-1)
  if (flags.apiKey)
    throw usage(
      'A key on the command line can be read by everybody on this machine.',
      'Set OPENAI_API_KEY, or the variable that `apiKeyEnv` of the provider names.',
    )
  if (flags.continue && flags.resume) throw usage('--continue and --resume name two sessions.', 'Give one of them.')
  if (flags.sessionId && (flags.continue || flags.resume))
    throw usage('--session-id names a new session.', 'Leave it out to go on with a session.')
  const typed = [...(flags.print ?? []), ...words].filter((word) => word !== '-').join(' ')
  const mode = toMode(last(flags.permissionMode), flags.skipPermissions !== undefined)
  if (mode === 'bypassPermissions') requireNotRoot()
  const resume = last(flags.resume)
  return {
    prompt: typed === '' ? undefined : typed,
    promptFile: last(flags.file),
    resume: flags.continue
      ? { text: 'last', inProject: true }
      : resume === undefined
        ? undefined
        : { text: resume, inProject: resume === 'last' },
    sessionId: toSessionId(last(flags.sessionId)),
    title: last(flags.title),
    persist: !flags.noPersistence,
    takeOver: flags.takeOver !== undefined,
    cwd: toFolder(last(flags.cwd)),
    cwdGiven: flags.cwd !== undefined,
    model: last(flags.model),
    limits: toLimits(last(flags.maxTurns), last(flags.maxBudget), last(flags.maxTokens), last(flags.maxTime)),
    mode,
    allow: splitList(flags.allowedTools),
    deny: splitList(flags.disallowedTools),
    onAsk: oneOf('--on-ask', last(flags.onAsk), askWays) ?? 'deny',
    strict: flags.strict !== undefined,
    format: oneOf('--output-format', last(flags.outputFormat), formats) ?? 'text',
    partial: flags.partial !== undefined,
    output: last(flags.output),
    verbose: flags.verbose !== undefined,
    quiet: flags.quiet !== undefined,
  }
}

/** The format that was asked for, also when other flags cannot be read: errors are told in it. */
export function formatOf(args: readonly string[]): Format {
  const at = args.findIndex((word) => word === '--output-format' || word.startsWith('--output-format='))
  const text = at < 0 ? undefined : args[at]?.includes('=') ? args[at]?.slice('--output-format='.length) : args[at + 1]
  return formats.find((format) => format === text) ?? 'text'
}

function oneOf<T extends string>(flag: string, text: string | undefined, words: readonly T[]): T | undefined {
  if (text === undefined) return undefined
  const found = words.find((word) => word === text)
  if (found) return found
  const guess = nearest(text, words)
  throw usage(
    `${flag} is one of ${words.join(', ')}; "${text}" is none of them.`,
    guess ? `Did you mean ${guess}?` : `Write ${flag} ${words[0]}.`,
  )
}

function toMode(text: string | undefined, skip: boolean): PermissionMode | undefined {
  return skip ? 'bypassPermissions' : oneOf('--permission-mode', text, permissionModes)
}

function requireNotRoot(): void {
  if (process.getuid?.() !== 0 || process.env.TENON_ALLOW_ROOT === '1') return
  throw usage(
    'Permissions are not skipped for root: one wrong command could destroy this machine.',
    'Run as another user, or set TENON_ALLOW_ROOT=1 inside a container that may break.',
  )
}

function toSessionId(text: string | undefined): `ses_${string}` | undefined {
  if (text === undefined) return undefined
  const bare = text.replace(/^ses_/, '')
  if (/^[\w-]{1,100}$/.test(bare)) return `ses_${bare}`
  throw usage(`"${text}" cannot name a session.`, 'Use letters, digits, - and _ only.')
}

function toFolder(text: string | undefined): string {
  const folder = resolve(text ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync.native(folder)
  throw usage(`${folder} is not a folder.`, 'Give a folder that exists with --cwd.')
}

function toLimits(turns?: string, usd?: string, tokens?: string, time?: string): Limits {
  return {
    ...(turns !== undefined && { turns: toNumber('--max-turns', turns, true) }),
    ...(usd !== undefined && { usd: toNumber('--max-budget-usd', usd, false) }),
    ...(tokens !== undefined && { tokens: toNumber('--max-total-tokens', tokens, true) }),
    ...(time !== undefined && { minutes: toMinutes(time) }),
  }
}

function toNumber(flag: string, text: string, whole: boolean): number {
  const number = Number(text)
  if (text.trim() !== '' && number > 0 && Number.isFinite(number) && (!whole || Number.isSafeInteger(number)))
    return number
  throw usage(`${flag} needs a ${whole ? 'whole ' : ''}number above 0; "${text}" is none.`, `Write ${flag} 10.`)
}

const minutesOf: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, min: 1, h: 60 }

function toMinutes(text: string): number {
  const [, number, unit = 'm'] = /^(\d+(?:\.\d+)?)(s|m|min|h)?$/.exec(text) ?? []
  if (number !== undefined && Number(number) > 0) return Number(number) * (minutesOf[unit] ?? 1)
  throw usage(`--max-time needs minutes, or a time such as 90s; "${text}" is none.`, 'Write --max-time 10.')
}
