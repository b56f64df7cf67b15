// docs/events.md and docs/commands.md, from the schemas of protocol and the comments beside them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as protocol from '../packages/protocol/src/index.ts'
import {
  code,
  commentAbove,
  commentsIn,
  fieldsOf,
  isOptional,
  type Names,
  optionsOf,
  row,
  typeOf,
} from './docs-schema.ts'
import { root } from './source.ts'

/** What each event says, in one line. A new event gets its line here. */
const meanings: Readonly<Record<protocol.EventType, string>> = {
  'session.opened': 'The root of every log: the session exists, in this folder, with this model and mode.',
  'session.configured': 'Settings changed, with what they were before.',
  'head.moved': 'HEAD stands on another event: somebody went back, forward, or to another branch.',
  'run.requested': 'A run is wanted.',
  'run.started': 'The loop took up a request.',
  'run.stopping': 'Somebody asked for a pause or an interrupt.',
  'run.ended': 'The run is over: its outcome, the row of `next` that ended it, its cost.',
  'effect.ended': 'An effect that has no event of its own is over, or failed.',
  'message.queued': 'A person’s message waits for delivery.',
  'message.withdrawn': 'A waiting message will not be delivered.',
  'message.added': 'A message stands in the conversation: a person’s, a reply of the model, or a text of the harness.',
  'context.set': 'System prompt and tool schemas for this branch, from here on.',
  'context.added': 'One more piece of text for the model, such as a reminder.',
  'model.started': 'A request goes out to a model; its hash is stated.',
  'model.finished': 'The request was answered: tokens, cost, times.',
  'model.failed': 'The request was not answered: why, and what a retry is decided from.',
  'tool.judged': 'Policy looked at a call: allow, ask or deny, by which rule, with which input.',
  'tool.started': 'The call is about to run. Stored before it runs.',
  'tool.finished': 'The one result of a call.',
  'ask.opened': 'A person is asked.',
  'ask.closed': 'The ask is over: answered, expired, cancelled, or no longer needed.',
  'file.changed': 'A tool wrote a file; both contents are blobs.',
  'todos.changed': 'The task list is now this one.',
}

/** Shapes that stand in many places, in the order in which the page explains them. */
const shapes: readonly (readonly [string, unknown, string])[] = [
  ['Part', protocol.part, 'packages/protocol/src/shape.ts'],
  ['ResultPart', protocol.resultPart, 'packages/protocol/src/shape.ts'],
  ['CallRef', protocol.callRef, 'packages/protocol/src/shape.ts'],
  ['Blob', protocol.blob, 'packages/protocol/src/shape.ts'],
  ['Usage', protocol.usage, 'packages/protocol/src/shape.ts'],
  ['Cost', protocol.cost, 'packages/protocol/src/shape.ts'],
  ['Limits', protocol.limits, 'packages/protocol/src/shape.ts'],
  ['Resource', protocol.resource, 'packages/protocol/src/shape.ts'],
  ['Access', protocol.access, 'packages/protocol/src/shape.ts'],
  ['Failure', protocol.failure, 'packages/protocol/src/error.ts'],
  ['DecidedBy', protocol.decidedBy, 'packages/protocol/src/event/tool.ts'],
  ['Answer', protocol.answer, 'packages/protocol/src/event/ask.ts'],
  ['Question', protocol.question, 'packages/protocol/src/event/ask.ts'],
  ['Block', protocol.block, 'packages/protocol/src/event/context.ts'],
  ['ToolSchema', protocol.toolSchema, 'packages/protocol/src/event/context.ts'],
  ['Todo', protocol.todo, 'packages/protocol/src/event/work.ts'],
]

const names: Names = new Map<unknown, string>([
  ...shapes.map(([name, schema]) => [schema, name] as const),
  [protocol.eventId, 'event id'],
  [protocol.sessionId, 'session id'],
  [protocol.json, 'JSON'],
  [protocol.errorCode, 'error code'],
  [protocol.failureClass, 'failure class'],
  [protocol.permissionMode, 'permission mode'],
])

export function toEventsPage(): string {
  const folder = join(root, 'packages/protocol/src/event')
  const files = readdirSync(folder)
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const kinds = Object.entries(protocol.eventKinds) as [
    protocol.EventType,
    (typeof protocol.eventKinds)[protocol.EventType],
  ][]
  const list = kinds.map(([type, kind]) =>
    row(`[\`${type}\`](#${type.replace('.', '')})`, kind.branch ? 'branch' : 'ledger', meanings[type]),
  )
  const sections = kinds.map(([type, kind]) => {
    const source = files.find((text) => text.includes(`'${type}':`)) ?? ''
    const above = commentAbove(source, `'${type}':`)
    const head = `${meanings[type]} ${kind.branch ? 'Branch' : 'Ledger'} event, version ${kind.v}.${above ? ` ${above}` : ''}`
    return [`### ${type}`, head, fieldTable(kind.payload, commentsIn(source, `'${type}':`))].join('\n\n')
  })
  return page(
    'Events',
    'Every event that a session’s log can hold. The schemas lie in `packages/protocol/src/event/`; a log line that does not fit them is named by `tenon session verify`. Unknown types are kept and ignored.',
    `A **branch** event has a \`parent\` and moves HEAD to itself; a **ledger** event belongs to no branch. What a session may take back when it goes to an earlier event is on the branch; what must never be taken back (runs, attempts, verdicts, asks, settings) is in the ledger.`,
    ['| event | kind | what it says |', '|---|---|---|', ...list].join('\n'),
    '## What every event has',
    fieldTable(protocol.envelope, commentsIn(readProtocol('event/event.ts'), 'export const envelope')),
    '`seq` counts from 0 without a gap and is given by the log. `at` is in milliseconds UTC and never decides an order.',
    '## Payloads',
    ...sections,
    '## Shapes',
    ...shapes.map(([name, schema, path]) => toShape(name, schema, readFileSync(join(root, path), 'utf8'))),
    '## Live fragments',
    'Not stored, not numbered, droppable. Each names the durable event that will take its place.',
    variants(protocol.live),
  )
}

export function toCommandsPage(): string {
  const source = readProtocol('command.ts')
  const sections = optionsOf(protocol.command).map((option) => {
    const fields = fieldsOf(option).filter(([name]) => !['id', 'dryRun', 'command'].includes(name))
    const [, literal] = fieldsOf(option).find(([name]) => name === 'command') ?? []
    const name = typeOf(literal, names).replaceAll('"', '')
    const comments = commentsIn(source, name === 'open' ? 'export const openCommand' : `z.literal('${name}')`)
    const table = fields.length === 0 ? 'No fields.' : tableOf(fields, comments)
    return `## ${name}\n\n${table}`
  })
  return page(
    'Commands',
    'Every request that a session accepts, from any front end. A command is decided by `packages/core/src/decide/`; it leads to events, or it is refused with a code, a reason and the next step. Unknown fields are refused.',
    'Each command may carry `id` (a repeat under the same id gets the first outcome; another command under it is refused) and `dryRun: true` (the events are returned, nothing is appended). `Limits`, `Part` and the other shapes are on the [page of events](events.md#shapes).',
    ...sections,
  )
}

const readProtocol = (path: string): string => readFileSync(join(root, 'packages/protocol/src', path), 'utf8')

function toShape(name: string, schema: unknown, source: string): string {
  const declaration = `export const ${name.charAt(0).toLowerCase()}${name.slice(1)} `
  const above = commentAbove(source, declaration)
  const body = optionsOf(schema).length > 0 ? variants(schema) : fieldTable(schema, commentsIn(source, declaration))
  return [`### ${name}`, ...(above ? [above] : []), body].join('\n\n')
}

/** A union as a list: one line a variant. */
const variants = (schema: unknown): string =>
  optionsOf(schema)
    .map((option) => `- ${code(typeOf(option, names))}`)
    .join('\n')

const fieldTable = (schema: unknown, comments: ReadonlyMap<string, string>): string =>
  tableOf(fieldsOf(schema), comments)

function tableOf(fields: readonly (readonly [string, unknown])[], comments: ReadonlyMap<string, string>): string {
  const rows = fields.map(([name, field]) =>
    row(code(`${name}${isOptional(field) ? '?' : ''}`), code(typeOf(field, names)), comments.get(name) ?? ''),
  )
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n')
}

export const page = (title: string, ...paragraphs: readonly string[]): string =>
  `${[`# ${title}`, ...paragraphs, 'Generated by `npm run generate`; `?` marks what may be left out.'].join('\n\n')}\n`
