// `tenon paths`: where Tenon keeps things.
import { createPlaces } from '@tenon/host'
import { parseFlags } from './args/parse.ts'

export async function paths(args: readonly string[]): Promise<number> {
  const { flags } = parseFlags({ json: { names: ['--json'], help: 'One JSON object.' } }, args)
  const places = createPlaces()
  if (flags.json) process.stdout.write(`${JSON.stringify(places)}\n`)
  else for (const [name, path] of Object.entries(places)) process.stdout.write(`${name.padEnd(8)} ${path}\n`)
  return 0
}
