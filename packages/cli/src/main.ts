// The command line: acts on import. Loads what the chosen command needs and nothing else.
import { commands, helpCommand, helpWords } from './commands.ts'

const [name = '', ...rest] = process.argv.slice(2)
/** Asked for behind a command too; what stands behind `--` is text. */
const plain = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
const wantsHelp = helpWords.includes(name) || plain.some((word) => word === '--help' || word === '-h')
const command = wantsHelp ? helpCommand : Object.hasOwn(commands, name) ? commands[name] : undefined

// Whoever reads may stop reading; commands that own a session listen themselves and interrupt it.
process.stdout.on('error', () => {})

async function run(): Promise<number> {
  try {
    if (command) return await command.run(rest)
    return await (await import('./print/terminal.ts')).printOrTerminal(process.argv.slice(2), Object.keys(commands))
  } catch (error) {
    return (await import('./failed.ts')).tellFailure(error)
  }
}

const code = await run()
// Not `process.exitCode`: a pipe that somebody else still holds open must not hold this process.
process.stdout.write('', () => process.exit(code))
