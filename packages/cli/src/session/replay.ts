// `tenon session replay`: the log as a conversation. Nothing runs: no tool, no model. `--check` computes each decision again.
import { sha256 } from '@tenon/host'
import { type FlagTable, parseFlags } from '../args/parse.ts'
import { plain } from '../print/printer.ts'
import { oneSession, toCount } from './arguments.ts'
import { checkDecisions } from './check-decisions.ts'
import { locate } from './places.ts'
import { load, say, sayJson } from './stored.ts'
import { transcriptLines } from './transcript.ts'

const flags = {
  to: { names: ['--to'], value: 'one', what: 'SEQ', help: 'Up to and with this event.' },
  check: { names: ['--check'], help: 'Compute every decision of the loop again and compare it with the log.' },
  json: { names: ['--json'], help: 'With --check: one JSON object.' },
} as const satisfies FlagTable

export async function replay(args: readonly string[]): Promise<number> {
  const { flags: given, words } = parseFlags(flags, args)
  const { stored, contents, events } = await load(oneSession(words, 'replay ID'))
  const to = toCount('--to', given.to) ?? Number.POSITIVE_INFINITY
  if (!given.check) {
    for (const event of events) if (event.seq <= to) for (const line of transcriptLines(event)) say(plain(line))
    return 0
  }
  const groups = contents.groups.filter((group) => (group[0]?.seq ?? 0) <= to)
  const { decided, outside, differences } = checkDecisions(groups, sha256)
  const places = differences.length > 0 ? await locate(stored.dir) : new Map<number, string>()
  const placed = differences.map((difference) => ({ ...difference, place: places.get(difference.seq) ?? stored.dir }))
  if (given.json)
    sayJson({
      session: stored.id,
      equal: differences.length === 0,
      groups: groups.length,
      decided,
      outside,
      differences: placed,
    })
  else {
    for (const { place, seq, text } of placed) say(`${place}: seq ${seq}: ${text}`)
    say(
      `${stored.id}: ${groups.length} groups: ${decided} decisions of the loop computed again, ${outside} from outside (commands, replies, results), ${differences.length} differences`,
    )
  }
  return differences.length === 0 ? 0 : 7
}
