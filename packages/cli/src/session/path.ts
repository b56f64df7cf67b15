// `tenon session path`: the active branch (law 1), or the branch of any event.
import { headOf, indexById, path as pathTo } from '@tenon/projections'
import { type Event, type EventId, TenonError } from '@tenon/protocol'
import { type FlagTable, parseFlags } from '../args/parse.ts'
import { oneSession } from './arguments.ts'
import { locate } from './places.ts'
import { load, say, sayJson } from './stored.ts'

const flags = {
  at: { names: ['--at'], value: 'one', what: 'EVENT', help: 'The branch of this event instead of HEAD.' },
  json: { names: ['--json'], help: 'One event a line, as JSON.' },
} as const satisfies FlagTable

/** @throws TenonError `log_missing_parent`, `log_cycle`, `log_duplicate_id`, each with file and line */
export async function path(args: readonly string[]): Promise<number> {
  const { flags: given, words } = parseFlags(flags, args)
  const { stored, events } = await load(oneSession(words, 'path ID'))
  const at = given.at?.at(-1) as EventId | undefined
  try {
    for (const event of pathTo(indexById(events), at ?? headOf(events)))
      given.json ? sayJson(event) : say(toLine(event))
  } catch (error) {
    throw error instanceof TenonError ? await placed(error, stored.dir, events) : error
  }
  return 0
}

const toLine = ({ seq, id, type, by }: Event): string => `${String(seq).padStart(6)}  ${id}  ${type} by ${by}`

/** The same error with the place of the event that it names. */
async function placed(error: TenonError, dir: string, events: readonly Event[]): Promise<TenonError> {
  const { id } = error.facts
  const named =
    typeof id === 'string'
      ? (events.findLast((event) => event.id === id) ?? events.find(({ parent }) => parent === id))
      : undefined
  const place = named && (await locate(dir)).get(named.seq)
  return place ? new TenonError({ ...error.failure, message: `${place}: ${error.message}` }, error.facts) : error
}
