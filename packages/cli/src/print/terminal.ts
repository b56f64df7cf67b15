// No subcommand: a headless run with `-p` or without a terminal. The terminal UI comes in a later step.
import { print } from './print.ts'

export async function printOrTerminal(args: readonly string[]): Promise<number> {
  const headless = args.some((word) => /^(-p|--print)(=|$)/.test(word))
  if (headless || !process.stdout.isTTY) return print(args)
  process.stderr.write('tenon: the terminal UI comes later; this runs the prompt as `tenon -p` does.\n')
  return print(args, { verbose: true })
}
