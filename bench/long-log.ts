// A long life as drafts: turns of one message, one reply with a call, its result, and a closing reply. For figures only.
import { createHash } from 'node:crypto'
import { type Appended, appendGroup, type Stamps } from '@tenon/core'
import { createFold, type RunState } from '@tenon/projections'
import { createIdGenerator, type Draft, emptyUsage, fresh, place } from '@tenon/protocol'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export function createStamps(): Stamps {
  let at = 1_700_000_000_000
  let roll = 1
  const random = () => {
    roll = (roll * 48271) % 2147483647
    return roll / 2147483647
  }
  return { now: () => at++, ids: createIdGenerator(() => at, random), fold: createFold(sha256) }
}

export const openDrafts: readonly Draft[] = [
  {
    type: 'session.opened',
    by: 'person',
    session: 'ses_bench',
    cwd: '/w',
    project: '/w',
    agent: 'default',
    model: 'bench/m',
    mode: 'bypassPermissions',
    tags: {},
    host: { os: 'linux', version: '0' },
  },
  {
    type: 'context.set',
    by: 'harness',
    stable: [],
    volatile: [],
    tools: [],
    hash: sha256(''),
    model: 'bench/m',
    build: '',
    reason: 'first request',
    changed: [],
  },
]

const bill = {
  usage: { ...emptyUsage, input: 100, output: 20 },
  cost: { nanoUsd: 1, source: 'config' } as const,
  firstMs: 1,
  ms: 2,
  warnings: [],
}

/** The append groups of one turn, each built on the state that the one before it led to. @param chars length of the result */
export function* turn(n: number, chars: number, current: () => RunState): Generator<readonly Draft[]> {
  yield [
    { type: 'message.queued', by: 'person', parts: [{ type: 'text', text: `message ${n}` }], delivery: 'steer' },
    { type: 'run.requested', by: 'person', reason: 'send', queued: place(0) },
  ]
  const request = current().requests[0]
  const queued = current().queue[0]
  if (!request || !queued) throw new Error('the turn did not begin')
  yield [{ type: 'run.started', by: 'harness', request: request.id, version: '0', limits: {} }]
  yield [{ type: 'message.added', by: 'person', role: 'user', parts: queued.parts, queued: queued.id }]
  yield [started(current())]
  const asked = current().attempts[0]
  if (!asked) throw new Error('no attempt')
  const call = {
    type: 'call',
    id: `call_${n}`,
    name: 'Read',
    tool: 'Read',
    input: { file_path: `/w/${n % 50}` },
    repairs: [],
  } as const
  yield [
    {
      type: 'message.added',
      by: 'agent',
      role: 'assistant',
      parts: [call],
      model: 'bench/m',
      provider: 'bench',
      attempt: asked.id,
      finish: 'calls',
    },
    { type: 'model.finished', by: 'harness', attempt: asked.id, purpose: 'act', finish: 'calls', ...bill },
  ]
  const ref = { message: asked.message, call: call.id, tool: 'Read' }
  yield [
    {
      type: 'tool.judged',
      by: 'harness',
      ref,
      verdict: 'allow',
      decidedBy: { stage: 'mode', id: 'default' },
      parts: [],
      trail: [],
      reasons: [],
      inputHash: 'h',
      input: call.input,
      repairs: [],
      kind: 'run',
      resources: [],
      timeoutMs: 1000,
    },
    {
      type: 'tool.started',
      by: 'harness',
      ref,
      input: call.input,
      inputHash: 'h',
      wire: { name: 'Read' },
      repairs: [],
      resources: [],
      timeoutMs: 1000,
      secrets: [],
    },
  ]
  yield [
    {
      type: 'tool.finished',
      by: 'tool',
      ref,
      status: 'ok',
      content: [{ type: 'text', text: `${n} ${'x'.repeat(chars)}` }],
      shown: chars,
      total: chars,
      ms: 1,
    },
  ]
  yield [started(current())]
  const closing = current().attempts[0]
  if (!closing) throw new Error('no attempt')
  yield [
    {
      type: 'message.added',
      by: 'agent',
      role: 'assistant',
      parts: [{ type: 'text', text: `done ${n}` }],
      model: 'bench/m',
      provider: 'bench',
      attempt: closing.id,
      finish: 'stop',
    },
    { type: 'model.finished', by: 'harness', attempt: closing.id, purpose: 'act', finish: 'stop', ...bill },
  ]
  const run = current().run
  if (!run) throw new Error('no run')
  yield [
    {
      type: 'run.ended',
      by: 'harness',
      run: run.id,
      outcome: 'done',
      row: 'done',
      turns: 2,
      ms: 5,
      usage: run.usage,
      cost: bill.cost,
      denials: [],
    },
  ]
}

const started = (state: RunState): Draft => ({
  type: 'model.started',
  by: 'harness',
  purpose: 'act',
  model: 'bench/m',
  provider: 'bench',
  why: 'setting model',
  head: state.head?.id ?? 'ev_',
  contextSet: state.branch.set?.id ?? 'ev_',
  messages: state.branch.view?.count ?? 0,
  requestHash: 'h',
  projection: 1,
  estimate: 0,
  message: fresh,
  try: 0,
  cacheKey: 'ses_bench',
})

/** Appends a turn's groups in memory; gives each group to `store`. */
export function appendTurn(
  state: RunState,
  n: number,
  chars: number,
  stamps: Stamps,
  store: (appended: Appended) => void,
): RunState {
  let current = state
  for (const drafts of turn(n, chars, () => current)) {
    const appended = appendGroup(current, drafts, stamps)
    current = appended.state
    store(appended)
  }
  return current
}
