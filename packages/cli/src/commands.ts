// The table of subcommands; each loads its own code when it runs.

export interface Command {
  readonly usage: string
  readonly help: string
  /** The exit code. */
  run(args: readonly string[]): Promise<number>
}

const help: Command = {
  usage: 'help',
  help: 'This page.',
  run: async () => (await import('./help.ts')).help(Object.values(commands)),
}

export const commands: Readonly<Record<string, Command>> = {
  demo: {
    usage: 'demo',
    help: 'Watch an agent fix a failing test in a scratch project; no key needed.',
    run: async (args) => (await import('./demo/demo.ts')).demo(args),
  },
  session: {
    usage: 'session COMMAND …',
    help: 'List, inspect, check and steer sessions.',
    run: async (args) => (await import('./session/session.ts')).session(args),
  },
  tool: {
    usage: 'tool list | run NAME --input JSON',
    help: 'The tools; a call of your own, as an agent would make it.',
    run: async (args) => (await import('./tool/tool.ts')).tool(args),
  },
  dev: {
    usage: 'dev [model-server FILE] [--port N]',
    help: 'A scripted model server, for trying things without a key.',
    run: async (args) => (await import('./dev/dev.ts')).dev(args),
  },
  paths: {
    usage: 'paths [--json]',
    help: 'Where configuration, sessions and caches lie.',
    run: async (args) => (await import('./paths.ts')).paths(args),
  },
  help,
}

/** Words for the same page that other programs taught people. */
export const helpWords: readonly string[] = ['--help', '-h']
export const helpCommand = help
