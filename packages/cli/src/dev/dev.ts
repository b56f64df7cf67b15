// `tenon dev`: a scripted model server on loopback, for trying Tenon and its clients without a key.
import { readFile } from 'node:fs/promises'
import { demoStory, parseScript } from '@tenon/models'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'

const flags = {
  port: { names: ['--port'], value: 'one', what: 'PORT', help: 'Port; any free one unless given.' },
  strict: { names: ['--strict'], help: 'Refuse what real providers refuse.' },
  apiKey: { names: ['--require-key'], value: 'one', what: 'KEY', help: 'Ask for this key.' },
} as const satisfies FlagTable

export async function dev(args: readonly string[]): Promise<number> {
  const [name] = args
  if (name !== undefined && name !== 'model-server' && !name.startsWith('-'))
    throw usage(`There is no command dev ${name}.`, 'There are tenon dev, and tenon dev model-server FILE.')
  const { flags: given, words } = parseFlags(flags, name === 'model-server' ? args.slice(1) : args)
  const [file] = words
  if (name === 'model-server' && file === undefined)
    throw usage('No script is named.', 'Write tenon dev model-server FILE; `tenon dev` alone serves the demo.')
  const script = file === undefined ? demoStory.map(toTurn) : await parseScript(await read(file), file)
  const { startModelServer } = await import('@tenon/testkit')
  const key = given.apiKey?.at(-1)
  const server = await startModelServer({
    script,
    port: toPort(given.port?.at(-1)),
    strict: given.strict !== undefined,
    ...(key !== undefined && { apiKey: key }),
  })
  // Listened for before anybody is told that the server stands.
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  process.stdout.write(`model server: ${server.url}\n`)
  process.stdout.write(
    `use it:       OPENAI_BASE_URL=${server.url} OPENAI_API_KEY=${key ?? 'any'} tenon -p "…" --model openai/script\n`,
  )
  await asked
  await server.close()
  return 0
}

const toTurn = ({ reasoning, text, calls = [] }: (typeof demoStory)[number]) => ({
  text,
  ...(reasoning !== undefined && { reasoning }),
  // The story's inputs are plain JSON.
  calls: calls.map(({ name, input }) => ({ name, input: JSON.parse(JSON.stringify(input)) })),
})

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw usage(`The script ${file} cannot be read: ${error.message}.`, 'Check the path.')
  })

function toPort(text: string | undefined): number {
  if (text === undefined) return 0
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw usage(`"${text}" is no port.`, 'Write --port 8080.')
}
