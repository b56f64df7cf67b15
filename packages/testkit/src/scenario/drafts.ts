// Plausible drafts of the events that most logs are made of; what a test is about it passes itself.
import type { Attempt, Call, RunState } from '@tenon/projections'
import {
  type CallPart,
  type Draft,
  type DraftOf,
  emptyUsage,
  type FinishReason,
  fresh,
  type Json,
  type Part,
  type ToolStatus,
} from '@tenon/protocol'
import { sha256 } from '../sim/world.ts'

export const openedDrafts = (config: Readonly<Record<string, Json>> = {}): readonly Draft[] => [
  {
    type: 'session.opened',
    by: 'person',
    session: 'ses_grown',
    cwd: '/w',
    project: '/w',
    agent: 'default',
    model: 'sim/a',
    mode: 'default',
    tags: {},
    host: { os: 'sim', version: '0' },
  },
  { type: 'session.configured', by: 'person', set: { build: 'b1', ...config }, was: {}, source: 'flag' },
]

export const contextSet = (text = ''): Draft => ({
  type: 'context.set',
  by: 'harness',
  stable: [{ id: 'base', source: 'builtin', text: `be good ${text}`, tokens: 1 }],
  volatile: [],
  tools: [],
  hash: sha256(`set ${text}`),
  model: 'sim/a',
  build: 'b1',
  reason: 'test',
  changed: [],
})

export const attemptDraft = ({ head, branch: { set } }: RunState, more: object = {}): Draft => ({
  type: 'model.started',
  by: 'harness',
  purpose: 'act',
  model: 'sim/a',
  provider: 'sim',
  why: 'test',
  head: head?.id ?? 'ev_none',
  contextSet: set?.id ?? 'ev_none',
  messages: 0,
  requestHash: '',
  projection: 1,
  estimate: 0,
  message: fresh,
  try: 0,
  cacheKey: 'k',
  ...more,
})

export interface ReplyFacts {
  readonly finish?: FinishReason
  readonly usage?: Partial<typeof emptyUsage>
  readonly nanoUsd?: number | null
}

export function replyDrafts(attempt: Attempt, parts: readonly Part[], facts: ReplyFacts = {}): readonly Draft[] {
  const finish = facts.finish ?? (parts.some(({ type }) => type === 'call') ? 'calls' : 'stop')
  const { nanoUsd = 0 } = facts
  return [
    {
      type: 'message.added',
      by: 'agent',
      role: 'assistant',
      attempt: attempt.id,
      model: 'sim/a',
      provider: 'sim',
      finish,
      parts,
    },
    {
      type: 'model.finished',
      by: 'harness',
      attempt: attempt.id,
      purpose: 'act',
      usage: { ...emptyUsage, ...facts.usage },
      cost: nanoUsd === null ? { nanoUsd, source: 'unknown' } : { nanoUsd, source: 'config' },
      finish,
      firstMs: 0,
      ms: 1,
      warnings: [],
    },
  ]
}

export const callOf = (id: string, tool: string, input: Json = {}, more: Partial<CallPart> = {}): CallPart => ({
  type: 'call',
  id,
  name: tool.toLowerCase(),
  tool,
  input,
  repairs: [],
  ...more,
})

export const judgedDraft = (call: Call, more: Partial<DraftOf<'tool.judged'>> = {}): DraftOf<'tool.judged'> => ({
  type: 'tool.judged',
  by: 'harness',
  ref: call.ref,
  verdict: 'allow',
  decidedBy: { stage: 'mode', id: 'test' },
  parts: [],
  trail: [],
  reasons: [],
  inputHash: 'h',
  input: call.input,
  repairs: [],
  kind: 'run',
  resources: [],
  timeoutMs: 1_000,
  ...more,
})

export const startedDraft = (call: Call): DraftOf<'tool.started'> => ({
  type: 'tool.started',
  by: 'harness',
  ref: call.ref,
  input: call.input,
  inputHash: 'h',
  wire: { name: call.name },
  repairs: [],
  resources: call.judged?.resources ?? [],
  timeoutMs: 1_000,
  secrets: [],
})

export const finishedDraft = (
  call: Call,
  status: ToolStatus,
  more: Partial<DraftOf<'tool.finished'>> = {},
): DraftOf<'tool.finished'> => ({
  type: 'tool.finished',
  by: 'tool',
  ref: call.ref,
  status,
  ...(call.state !== 'running' && (status === 'ok' || status === 'error') && { unstarted: 'invalid' as const }),
  content: [{ type: 'text', text: 'result' }],
  shown: 1,
  total: 1,
  ms: 1,
  ...more,
})
