// `tenon session events`: the log as it is, one JSON object a line.
import type { Event } from '@tenon/protocol'
import { type FlagTable, parseFlags } from '../args/parse.ts'
import { oneSession, toCount } from './arguments.ts'
import { openStore, sayJson } from './stored.ts'

const flags = {
  from: { names: ['--from'], value: 'one', what: 'SEQ', help: 'From this event on.' },
  to: { names: ['--to'], value: 'one', what: 'SEQ', help: 'Up to and with this event.' },
  type: { names: ['--type'], value: 'one', what: 'TYPES', help: 'Only these types, such as run.ended or tool.*.' },
  follow: { names: ['--follow'], help: 'And what comes, until interrupted.' },
  json: { names: ['--json'], help: 'As without it.' },
} as const satisfies FlagTable

export async function events(args: readonly string[]): Promise<number> {
  const { flags: given, words } = parseFlags(flags, args)
  const { log } = await openStore().find(oneSession(words, 'events ID'))
  const to = toCount('--to', given.to) ?? Number.POSITIVE_INFINITY
  const wanted = matcher(given.type)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.stdout.once('error', () => stop.abort())
  let next = toCount('--from', given.from) ?? 0
  do {
    const contents = await log.read(next)
    if (!given.follow) for (const { text } of contents.notices) process.stderr.write(`tenon: ${text}\n`)
    for (const event of contents.groups.flat()) {
      if (event.seq < next || event.seq > to) continue
      if (wanted(event)) sayJson(event)
      next = event.seq + 1
    }
    if (given.follow && next <= to) await log.changed(next, stop.signal)
  } while (given.follow && next <= to && !stop.signal.aborted)
  await log.close()
  return 0
}

function matcher(types: readonly string[] | undefined): (event: Event) => boolean {
  const patterns = types?.flatMap((text) => text.split(','))
  if (!patterns) return () => true
  return ({ type }) =>
    patterns.some((pattern) => (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern))
}
