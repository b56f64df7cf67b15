// Commands cross the wire: what is not declared is refused, what is declared comes through unchanged.
import { describe, expect, test } from 'vitest'
import { type Command, command } from './command.ts'

const text = { type: 'text', text: 'hello' } as const
const commands: readonly Command[] = [
  { id: 'c0', command: 'open', cwd: '/w' },
  {
    command: 'open',
    session: 'ses_1',
    cwd: '/w',
    project: '/',
    agent: 'default',
    model: 'demo',
    mode: 'plan',
    title: 't',
    tags: { a: 'b' },
    limits: { turns: 1, usd: 0.5, tokens: 10, minutes: 1.5 },
    config: { 'checks.verify': false },
  },
  { command: 'send', parts: [text], delivery: 'queue', run: false, dryRun: true },
  {
    command: 'send',
    parts: [{ type: 'call', id: 'p', name: 'Bash', tool: 'Bash', input: { command: 'ls' }, repairs: [] }],
  },
  { command: 'withdraw', queued: 'ev_1' },
  {
    command: 'answer',
    ask: 'ev_1',
    options: ['allow'],
    text: 'ok',
    input: { a: 1 },
    answers: [{ options: [], text: 'x' }],
    always: { rules: ['Edit'], scope: 'session' },
    stop: true,
  },
  { command: 'run', limits: { turns: 3 } },
  { command: 'pause' },
  { command: 'interrupt' },
  { command: 'configure', set: { mode: 'default', title: null } },
  { command: 'move', to: 'ev_1' },
  { command: 'move', to: null },
  { command: 'move', undo: 2 },
  { command: 'move', redo: true },
  { command: 'close' },
]

describe.each(commands.map((one) => [one.command, one] as const))('%s', (_name, one) => {
  test(`comes through JSON unchanged: ${JSON.stringify(one).slice(0, 60)}`, () => {
    expect(command.parse(JSON.parse(JSON.stringify(one)))).toEqual(one)
  })

  test('with an unknown field it is refused, and the field is named', () => {
    const parsed = command.safeParse({ ...one, dryrun: true })
    expect(parsed.success).toBe(false)
    expect(parsed.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['dryrun'] }])
  })
})

test.each([
  ['an unknown command', { command: 'delete' }],
  ['no command', {}],
  ['an empty id', { command: 'run', id: '' }],
  ['an id of more than 200 characters', { command: 'run', id: 'x'.repeat(201) }],
  ['an id that is no event id', { command: 'withdraw', queued: '12' }],
  ['an open without a folder', { command: 'open', cwd: '' }],
  ['an unknown delivery', { command: 'send', parts: [], delivery: 'soon' }],
  ['an unknown part', { command: 'send', parts: [{ type: 'video' }] }],
  ['undo of nothing', { command: 'move', undo: 0 }],
  ['undo of a part', { command: 'move', undo: 1.5 }],
  ['redo: false', { command: 'move', redo: false }],
  ['a negative limit', { command: 'run', limits: { turns: -1 } }],
  ['an unknown mode', { command: 'open', cwd: '/w', mode: 'yolo' }],
  [
    'an answer remembered for ever',
    { command: 'answer', ask: 'ev_1', options: [], always: { rules: [], scope: 'user' } },
  ],
])('refused: %s', (_name, body) => {
  expect(command.safeParse(body).success).toBe(false)
})
