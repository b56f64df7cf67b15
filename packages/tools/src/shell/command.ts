// How a command reaches the shell unaltered, and in which environment.
import type { SpawnRequest } from '@tenon/core'

/** Bytes of one argument that the kernel takes are 128 KiB, its NUL included. */
const longest = 120_000

/** Nobody answers prompts, pages or edits; output is plain and unbuffered. */
const environment: Readonly<Record<string, string | undefined>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  npm_config_yes: 'true',
  PYTHONUNBUFFERED: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  // Files that a shell would run on its own before the command.
  BASH_ENV: undefined,
  ENV: undefined,
}

export const shellRequest = (command: string, cwd: string): SpawnRequest => ({
  argv: ['bash', '--noprofile', '--norc', '-c', ...script(command)],
  cwd,
  env: environment,
  joined: true,
})

/** Arguments for `bash -c`. A command too long for one argument goes in parts that the shell joins byte for byte. */
function script(command: string): readonly [string, ...string[]] {
  if (Buffer.byteLength(command) <= longest) return [command]
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const character of command) {
    const bytes = Buffer.byteLength(character)
    if (size + bytes > longest) {
      parts.push(part)
      part = ''
      size = 0
    }
    part += character
    size += bytes
  }
  return ['IFS=; set -- "$*"; unset IFS; eval "shift; $1"', 'bash', ...parts, part]
}

/** The program text of another language sent to the shell by mistake; `undefined` for what may be shell. */
export function notShell(command: string): string | undefined {
  const text = command.trim()
  if (/^[{[]/.test(text) && isJson(text)) return 'JSON'
  if (/^(?:from [\w.]+ import |import [\w.]+(?: as \w+)?\n|def \w+\(.*\):\n)/.test(text)) return 'Python'
  return undefined
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
