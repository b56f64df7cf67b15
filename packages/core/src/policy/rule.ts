// The rule grammar: `Tool`, `Bash(text)`, `Read(path)` and `Edit(path)`.
import type { Access, Verdict } from '@tenon/protocol'

export interface Rule {
  readonly text: string
  readonly tool: string
  /** What stands between the parentheses, or `null` for the whole tool. */
  readonly inner: string | null
}

/** Commands with more than one simple part: until the shell is parsed only the bare tool's rule covers them. */
const severalParts = /[;&|`<>()\n\r]|\$\(/

/** `undefined` for text that is no rule. Aliases of other systems' tool names are resolved. */
export function parseRule(text: string): Rule | undefined {
  const match = /^([A-Za-z_][\w-]*)(?:\((.*)\))?$/s.exec(text.trim())
  if (!match?.[1]) return undefined
  const inner = match[2] === undefined || match[2] === '*' ? null : match[2]
  return { text: text.trim(), tool: aliases[match[1]] ?? match[1], inner }
}

const aliases: Readonly<Record<string, string>> = {
  bash: 'Bash',
  terminal: 'Bash',
  shell: 'Bash',
  run_command: 'Bash',
  run_shell_command: 'Bash',
  execute_bash: 'Bash',
  read_file: 'Read',
  write_file: 'Write',
  edit_file: 'Edit',
  MultiEdit: 'Edit',
  NotebookEdit: 'Edit',
}

const writers = ['Write', 'Edit']

/** Whether a rule speaks of this part of a call. An allow never covers more than it says; a deny or ask never less. */
export function ruleMatches(
  rule: Rule,
  call: { readonly tool: string; readonly root: string },
  access: Access,
  verdict: Verdict,
): boolean {
  if (rule.tool === 'Bash') return access.verb === 'exec' && commandMatches(rule, access.target, verdict)
  const kin = rule.tool === call.tool || covers(rule.tool, access, verdict)
  if (rule.inner === null) return kin
  return kin && isFileAccess(access) && pathMatches(rule.inner, access.target, call.root, verdict)
}

/** A rule for one writer speaks of all of them, one for Read of everything that reads; a Read deny denies writing too. */
function covers(tool: string, { verb }: Access, verdict: Verdict): boolean {
  const writes = verb === 'write' || verb === 'delete'
  if (writers.includes(tool)) return writes
  return tool === 'Read' && (verb === 'read' || (writes && verdict === 'deny'))
}

const isFileAccess = ({ verb }: Access): boolean => verb === 'read' || verb === 'write' || verb === 'delete'

function commandMatches(rule: Rule, command: string, verdict: Verdict): boolean {
  if (rule.inner === null) return true
  const pattern = commandPattern(rule.inner)
  if (verdict === 'allow') return !severalParts.test(command) && pattern.test(oneLine(command))
  return [oneLine(command), ...readings(command)].some((text) => pattern.test(text))
}

const oneLine = (text: string): string => text.trim().replace(/[ \t]+/g, ' ')

/**
 * Every text that could be the start of a simple command, for deny and ask rules: behind keywords, assignments, options
 * and programs that run others, without quotes and backslashes, with the program's bare name. Until commands are parsed
 * a harmless twin may be met too (a separator inside quotes splits): too strict is the right mistake.
 */
function readings(command: string): string[] {
  const parts = command.replace(/\\\n/g, '').split(/[;&|`<>(){}\n\r]|\$\(/)
  return parts.flatMap((part) => {
    const words = (part.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s])+/g) ?? []).map((word) => word.replace(/["'\\]/g, ''))
    const reach = words.findIndex((word) => !isTransparent(word))
    const starts = words.slice(0, reach < 0 ? words.length : reach + 1).map((_, i) => words.slice(i).join(' '))
    return starts.flatMap((text) => [text, bareProgram(text)])
  })
}

const bareProgram = (text: string): string => text.replace(/^\S*\//, '')

/** Words behind which the real command may still come. */
const isTransparent = (word: string): boolean =>
  /^(!|\d+[a-z]?|-.*|[A-Za-z_]\w*\+?=.*|if|then|elif|else|while|until|do|time|coproc|case|in|function)$/s.test(word) ||
  /^(command|builtin|exec|eval|env|nohup|nice|ionice|timeout|stdbuf|setsid|sudo|doas|xargs|busybox|(ba|z|da|k)?sh)$/.test(
    bareProgram(word),
  )

/** `*` is any run; ` *` or `:*` at the end is a word boundary and also no arguments; `\*` is literal. */
function commandPattern(inner: string): RegExp {
  const open = inner.replace(/:\*$/, ' *')
  const body = open.endsWith(' *') ? open.slice(0, -2) : open
  const source = body
    .split(/(\\\*|\*)/)
    .map((piece) => (piece === '*' ? '.*' : piece === '\\*' ? '\\*' : literal(piece)))
    .join('')
  return new RegExp(`^${source}${open.endsWith(' *') ? '( .*)?' : ''}$`, 's')
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `//abs`, `/from the root`, `rel`, with `*` inside one folder and `**` across folders. Home paths come with settings files. */
function pathMatches(pattern: string, path: string, root: string, verdict: Verdict): boolean {
  // As in .gitignore a bare name is met in every folder; an allow means the one it names.
  const anywhere = verdict !== 'allow' && !pattern.slice(0, -1).includes('/') ? '**/' : ''
  const absolute = pattern.startsWith('//')
    ? pattern.slice(1)
    : `${root}/${anywhere}${pattern.replace(/^(\.?\/)+/, '')}`
  const source = absolute
    .split(/(\*\*\/?|\*)/)
    .map((piece) => (piece === '*' ? '[^/]*' : piece === '**' ? '.*' : piece === '**/' ? '(.*/)?' : literal(piece)))
    .join('')
  // A denied folder is denied with everything below it; an allow says no more than it says.
  const below = verdict === 'allow' && /\*[^/]*$/.test(pattern) ? '' : '(/.*)?'
  return new RegExp(`^${source.replace(/\/$/, '')}${below}$`, 's').test(path)
}
