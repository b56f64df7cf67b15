// `tenon tool …`: the tools of this build, and a person's own call of one: same locks, caps and events as an agent's.
import { randomUUID } from 'node:crypto'
import { findRoot } from '@tenon/host'
import { type Event, type EventOf, type Json, TenonError } from '@tenon/protocol'
import { coreTools } from '@tenon/tools'
import { nearest } from '../args/nearest.ts'
import { type FlagTable, parseFlags, usage } from '../args/parse.ts'
import { follow } from '../compose/follow.ts'
import { type Link, link } from '../compose/link.ts'
import { compose, type Home } from '../compose.ts'
import { plain } from '../print/printer.ts'
import { exitNow, type Stop, watchSignals } from '../print/stop.ts'

const flags = {
  input: { names: ['--input'], value: 'one', what: 'JSON', help: 'The input, as the tool’s schema has it.' },
  session: { names: ['--session'], value: 'one', what: 'ID', help: 'Run it in this session; else nothing is kept.' },
  json: { names: ['--json'], help: 'With list: JSON.' },
} as const satisfies FlagTable

export async function tool(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const { flags: given, words } = parseFlags(flags, rest)
  if (name === 'list') return listTools(given.json !== undefined)
  if (name !== 'run')
    throw usage(`There is no command tool ${name ?? ''}.`, 'There are tool list, and tool run NAME --input JSON.')
  const [called, ...more] = words
  if (called === undefined || more.length > 0)
    throw usage('One tool has to be named.', 'Write tenon tool run NAME --input JSON.')
  return runTool(findTool(called).name, toInput(given.input?.at(-1)), given.session?.at(-1))
}

function listTools(asJson: boolean): number {
  const rows = coreTools.map(({ name, title, description, kind, annotations }) => ({
    name,
    title,
    kind,
    readOnly: annotations.readOnly,
    description,
  }))
  if (asJson) process.stdout.write(`${JSON.stringify(rows)}\n`)
  else for (const { name, title } of rows) process.stdout.write(`${name.padEnd(16)} ${title}\n`)
  return 0
}

function findTool(text: string) {
  const found = coreTools.find(({ name, aliases }) => name === text || aliases.includes(text))
  if (found) return found
  const names = coreTools.map(({ name }) => name)
  const guess = nearest(text, names)
  throw usage(`There is no tool ${text}.`, guess ? `Did you mean ${guess}?` : `There are ${names.join(', ')}.`)
}

function toInput(text: string | undefined): Json {
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw usage(
      `--input is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      `Write --input '{"key": "value"}'.`,
    )
  }
}

async function runTool(name: string, input: Json, text: string | undefined): Promise<number> {
  const stop = watchSignals()
  stop.overdue.addEventListener('abort', () => exitNow(130))
  const home = await compose({
    kind: 'cli',
    onAsk: 'stop',
    ...(text === undefined && { sync: 'memory' as const, model: 'demo' }),
  })
  try {
    const at = text === undefined ? await openScratch(home) : await link(home, (await home.store.find(text)).id)
    const result = await call(home, at, { name, input, stop })
    const { status, content, structured } = result
    process.stdout.write(`${JSON.stringify({ status, content, ...(structured !== undefined && { structured }) })}\n`)
    return status === 'ok' ? 0 : status === 'denied' ? 4 : 1
  } finally {
    await home.close({ hurry: stop.asked.aborted })
    stop.dispose()
  }
}

async function openScratch(home: Home): Promise<Link> {
  const cwd = process.cwd()
  const { session } = await home.client.sessions.open({ cwd, project: (await findRoot(cwd)) ?? cwd, model: 'demo' })
  return { session, here: true }
}

interface PersonCall {
  readonly name: string
  readonly input: Json
  readonly stop: Stop
}

/** Sends the call as a person's message and waits for its one result; what the tool prints goes to standard error. */
async function call(home: Home, at: Link, { name, input, stop }: PersonCall): Promise<EventOf<'tool.finished'>> {
  const id = `call_${randomUUID().slice(0, 8)}`
  const after = (await at.session.state()).seq
  const done = new AbortController()
  const interrupt = () => void at.session.interrupt().catch(() => done.abort())
  stop.asked.addEventListener('abort', interrupt, { once: true })
  await at.session.send([{ type: 'call', id, name, tool: name, input, repairs: [] }])
  let result: EventOf<'tool.finished'> | undefined
  for await (const item of follow(home, at.session.id, { first: at, after, live: true, signal: done.signal })) {
    if (item.type === 'live' && item.fragment.type === 'tool.output' && item.fragment.ref.call === id)
      process.stderr.write(plain(item.fragment.text))
    if (item.type !== 'event') continue
    if (isResult(item.event, id)) result = item.event
    if (item.event.type === 'run.ended' && result) return result
    if (item.event.type === 'run.ended' && item.event.failure) throw new TenonError(item.event.failure)
  }
  throw new TenonError({
    code: 'interrupted',
    message: 'The call was stopped before it had a result.',
    action: 'Run it again.',
  })
}

const isResult = (event: Event, call: string): event is EventOf<'tool.finished'> =>
  event.type === 'tool.finished' && event.ref.call === call
