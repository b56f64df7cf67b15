// `tenon session list`: from the index, no log is read. A row that says running is believed only of a living owner.
import { realpathSync } from 'node:fs'
import { findRoot } from '@tenon/host'
import type { SessionSummary } from '@tenon/protocol'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'
import { isOwned, openStore, say, sayJson } from './stored.ts'

const flags = {
  all: { names: ['--all'], help: 'Sessions of all projects.' },
  limit: { names: ['--limit'], value: 'one', what: 'N', help: 'At most so many; 50.' },
  cursor: { names: ['--cursor'], value: 'one', what: 'CURSOR', help: 'Go on after the page before.' },
  json: { names: ['--json'], help: 'One JSON object.' },
} as const satisfies FlagTable

const needsOwner = ['running', 'retrying']

export async function list(args: readonly string[]): Promise<number> {
  const { flags: given } = parseFlags(flags, args)
  const limit = Number(given.limit?.at(-1) ?? 50)
  if (!Number.isInteger(limit) || limit < 1) throw usage('--limit needs a whole number above 0.', 'Write --limit 50.')
  const cwd = realpathSync.native('.')
  const store = openStore()
  const project = given.all ? undefined : ((await findRoot(cwd)) ?? cwd)
  const cursor = given.cursor?.at(-1)
  const page = await store.list({
    limit,
    ...(project !== undefined && { project }),
    ...(cursor !== undefined && { cursor }),
  })
  const items: SessionSummary[] = []
  for (const row of page.items) {
    const doubtful = needsOwner.includes(row.status) && !(await isOwned(await store.find(row.id)))
    items.push(doubtful ? { ...row, status: 'broken' } : row)
  }
  if (given.json) sayJson({ items, next: page.next })
  else if (items.length === 0)
    say(given.all ? 'There are no sessions.' : 'This project has no sessions; --all shows those of others.')
  else for (const row of items) say(toLine(row, given.all !== undefined))
  if (page.next && !given.json) say(`more: --cursor ${page.next}`)
  return 0
}

const toLine = ({ id, status, title, model, updatedAt, openedAt, asks, cwd }: SessionSummary, all: boolean): string =>
  [
    id,
    age(Date.now() - (updatedAt ?? openedAt)).padStart(4),
    (asks > 0 ? `${status} (${asks} asked)` : status).padEnd(11),
    model.padEnd(12),
    title ?? '',
    ...(all ? [cwd] : []),
  ]
    .join('  ')
    .trimEnd()

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

function age(ms: number): string {
  const [unit, size] = units.find(([, length]) => ms >= length) ?? ['s', 1000]
  return `${Math.max(0, Math.floor(ms / size))}${unit}`
}
