// `tenon session verify`: everything that must hold of a log, checked on the log itself. Exit 0, or 7 with file and line.
import { createPlaces, sha256 } from '@tenon/host'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'
import { oneSession } from './arguments.ts'
import { findProblems } from './check-log.ts'
import { locate } from './places.ts'
import { load, openStore, say, sayJson } from './stored.ts'

const flags = {
  all: { names: ['--all'], help: 'Every session.' },
  json: { names: ['--json'], help: 'One JSON object a session.' },
} as const satisfies FlagTable

export async function verify(args: readonly string[]): Promise<number> {
  const { flags: given, words } = parseFlags(flags, args)
  if (given.all && words.length > 0) throw usage('--all names every session.', 'Leave out the id, or --all.')
  const ids = given.all ? await allIds() : [oneSession(words, 'verify ID | --all')]
  let failed = 0
  for (const id of ids) if (!(await verifyOne(id, given.json !== undefined))) failed++
  if (given.all && !given.json) say(`${ids.length - failed} sound, ${failed} with problems (${createPlaces().data})`)
  return failed > 0 ? 7 : 0
}

async function allIds(): Promise<readonly string[]> {
  const store = openStore()
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ limit: 1000, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

async function verifyOne(text: string, asJson: boolean): Promise<boolean> {
  const { stored, contents, events } = await load(text)
  const problems = await findProblems({ contents, events, blobs: stored.blobs, hash: sha256 })
  const places = problems.length > 0 ? await locate(stored.dir) : new Map<number, string>()
  const placed = problems.map((problem) => ({
    ...problem,
    place: problem.seq === undefined ? stored.dir : (places.get(problem.seq) ?? stored.dir),
  }))
  const notices = contents.notices.map(({ text: notice }) => notice)
  if (asJson)
    sayJson({ session: stored.id, ok: problems.length === 0, events: events.length, problems: placed, notices })
  else {
    for (const notice of notices) say(`${stored.id}: notice: ${notice}`)
    for (const { place, text: problem } of placed) say(`${place}: ${problem}`)
    say(
      `${stored.id}: ${events.length} events, ${problems.length === 0 ? 'no problem' : `${problems.length} problems`}`,
    )
  }
  return problems.length === 0
}
