// No subcommand: a headless run with `-p` or without a terminal. There is no terminal UI yet.
import { nearest } from '../args/nearest.ts'
import { usage } from '../args/parse.ts'
import { print } from './print.ts'

/** @param commands names that a single mistyped word may have meant: it must not start an agent */
export async function printOrTerminal(args: readonly string[], commands: readonly string[]): Promise<number> {
  const [first = ''] = args
  const meant = args.length <= 3 && /^[a-z]+$/.test(first) ? nearest(first, commands) : undefined
  if (meant)
    throw usage(
      `There is no command ${first}.`,
      `Did you mean ${meant}? To send it as a prompt: tenon -p "${first} …".`,
    )
  const headless = args.some((word) => /^(-p|--print)(=|$)/.test(word))
  if (headless || !process.stdout.isTTY) return print(args)
  process.stderr.write('tenon: the terminal UI comes later; this runs the prompt as `tenon -p` does.\n')
  return print(args, { verbose: true })
}
