// The rule grammar, as far as this step has it: `Tool`, `Bash(text)`, `Read(path)` and `Edit(path)`.
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
  run_command: 'Bash',
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
  return kin && isFileAccess(access) && pathMatches(rule.inner, access.target, call.root)
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
  const text = command.trim().replace(/\s+/g, ' ')
  const pattern = commandPattern(rule.inner)
  if (verdict === 'allow') return !severalParts.test(command) && pattern.test(text)
  // A deny or ask also holds for any part of a longer command, and behind assignments.
  const parts = command.split(/[;&|`<>()\n\r]|\$\(/).map((part) => part.trim().replace(/\s+/g, ' '))
  return [text, ...parts].some((part) => pattern.test(part) || pattern.test(part.replace(/^(\w+=\S* )+/, '')))
}

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
function pathMatches(pattern: string, path: string, root: string): boolean {
  const absolute = pattern.startsWith('//') ? pattern.slice(1) : `${root}/${pattern.replace(/^(\.?\/)+/, '')}`
  const source = absolute
    .split(/(\*\*\/?|\*)/)
    .map((piece) => (piece === '*' ? '[^/]*' : piece === '**' ? '.*' : piece === '**/' ? '(.*/)?' : literal(piece)))
    .join('')
  return new RegExp(`^${source}(/.*)?$`, 's').test(path)
}
