// What an exit code means: some are answers, not failures.

export interface Verdict {
  readonly ok: boolean
  /** One line for the model; empty when the code says nothing more. */
  readonly hint: string
}

/** Programs whose exit code 1 is an answer. */
const answers: Readonly<Record<string, string>> = {
  grep: 'no line matched',
  egrep: 'no line matched',
  fgrep: 'no line matched',
  zgrep: 'no line matched',
  rg: 'no line matched',
  ag: 'no line matched',
  diff: 'the files differ',
  cmp: 'the files differ',
  test: 'the condition is false',
  '[': 'the condition is false',
  '[[': 'the condition is false',
  pgrep: 'no process matched',
  which: 'not found',
}

const hints: Readonly<Record<number, string>> = {
  124: 'the timeout program ended it',
  126: 'found but not executable: check its mode, or run it with its interpreter',
  127: 'command not found: check the name, or install it',
  130: 'interrupted (SIGINT)',
  134: 'aborted (SIGABRT)',
  137: 'killed (SIGKILL), perhaps out of memory',
  139: 'crashed (SIGSEGV)',
  141: 'its reader closed the pipe (SIGPIPE)',
  143: 'stopped (SIGTERM)',
  147: 'stopped (SIGSTOP)',
}

/** @param signal name of the signal that ended the shell itself */
export function judgeExit(command: string, code: number | null, signal: string | null): Verdict {
  if (code === null) return { ok: false, hint: `the shell was ended by ${signal ?? 'an unknown signal'}` }
  if (code === 0) return { ok: true, hint: '' }
  const answer = code === 1 ? answers[lastProgram(command)] : undefined
  if (answer) return { ok: true, hint: answer }
  return { ok: false, hint: hints[code] ?? '' }
}

/** The program whose code becomes the shell's: the last of the last pipeline. A rough reading; unsure means a failure. */
function lastProgram(command: string): string {
  const bare = command.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '""').replace(/\\\n/g, ' ')
  if (/<<|[()`]|\b(?:if|for|while|case|function)\b/.test(bare)) return ''
  const last =
    bare
      .trim()
      .replace(/[;\s]+$/, '')
      .split(/\|\||&&|[|;&\n]/)
      .at(-1) ?? ''
  const words = last.trim().split(/\s+/)
  const at = words.findIndex(
    (word) => !/^\w+=/.test(word) && !['sudo', 'command', 'time', '!', 'env', 'nice'].includes(word),
  )
  const name = words[at]?.split('/').at(-1) ?? ''
  return name === 'git' && ['grep', 'diff'].includes(words[at + 1] ?? '') ? (words[at + 1] ?? '') : name
}
