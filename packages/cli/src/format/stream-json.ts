// `stream-json`: one object a line in the shapes that programs written for Claude Code read. Pure: events and fragments in,
// objects out; the only state is what a line needs from an earlier event.
import { retriesOf, retryAt } from '@tenon/core'
import {
  type Event,
  type EventOf,
  emptyUsage,
  type Live,
  type Part,
  type ResultPart,
  type Usage,
} from '@tenon/protocol'
import { createPartial } from './partial.ts'
import { toUsage } from './result.ts'

type Line = Readonly<Record<string, unknown>>

export interface InitFacts {
  readonly session: string
  readonly cwd: string
  readonly model: string
  readonly mode: string
  readonly tools: readonly string[]
  /** Where the key comes from: a variable's name, or `none`. */
  readonly apiKeySource: string
  readonly version: string
}

export const initLine = (facts: InitFacts): Line => ({
  type: 'system',
  subtype: 'init',
  session_id: facts.session,
  uuid: '',
  cwd: facts.cwd,
  model: facts.model,
  permissionMode: facts.mode,
  tools: facts.tools,
  mcp_servers: [],
  slash_commands: [],
  agents: [],
  skills: [],
  plugins: [],
  output_style: 'default',
  apiKeySource: facts.apiKeySource,
  tenon_version: facts.version,
})

export interface StreamEncoder {
  event(event: Event): readonly Line[]
  live(fragment: Live): readonly Line[]
}

/** @param partial whether live fragments become `stream_event` lines */
export function createStreamEncoder(session: string, partial: boolean): StreamEncoder {
  const fragments = createPartial()
  let held: EventOf<'message.added'> | undefined
  let failed = { class: '', count: 0 }

  const stamp = (event: Event, fields: Line): Line => ({
    ...fields,
    session_id: session,
    uuid: event.id,
    seq: event.seq,
  })
  const release = (usage: Usage): readonly Line[] => {
    const message = held
    held = undefined
    if (!message) return []
    const ends = partial ? fragments.end(message.id, stopReason(message.finish), usage) : []
    return [...ends.map((event) => wrap(event, session)), stamp(message, assistantLine(message, usage))]
  }

  return {
    event(event) {
      switch (event.type) {
        case 'message.added':
          failed = { class: '', count: 0 }
          if (event.role === 'assistant') held = event
          // A person's own message is not echoed: whoever reads this sent it.
          return event.role === 'harness' ? [stamp(event, harnessText(event))] : []
        case 'model.finished':
          return release(event.usage)
        case 'model.failed': {
          const kind = event.failure.class ?? 'internal'
          failed = { class: kind, count: failed.class === kind ? failed.count + 1 : 1 }
          const line = retryLine(event, failed.count)
          return line ? [stamp(event, line)] : []
        }
        case 'tool.judged':
          return event.verdict === 'deny' ? [stamp(event, deniedLine(event))] : []
        case 'tool.finished':
          return [stamp(event, toolLine(event))]
        case 'run.ended':
          return release(emptyUsage)
        default:
          return []
      }
    },
    live: (fragment) => (partial ? fragments.live(fragment).map((event) => wrap(event, session)) : []),
  }
}

const wrap = (event: Line, session: string): Line => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: null,
  session_id: session,
  uuid: '',
})

function assistantLine(event: EventOf<'message.added'>, usage: Usage): Line {
  const { id, responseId, model, parts, finish } = event
  return {
    type: 'assistant',
    message: {
      id: responseId ?? id,
      type: 'message',
      role: 'assistant',
      model: model ?? '',
      content: parts.flatMap(toBlock),
      stop_reason: stopReason(finish),
      stop_sequence: null,
      usage: toUsage(usage),
    },
    parent_tool_use_id: null,
  }
}

function toBlock(part: Part): readonly Line[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'call') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }]
  if (part.type !== 'reasoning') return []
  return [
    part.redacted
      ? { type: 'redacted_thinking', data: part.signature ?? '' }
      : { type: 'thinking', thinking: part.text, signature: part.signature ?? '' },
  ]
}

/** Words of this product → words of the format. */
const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
}
const stopReason = (finish: string | undefined): string | null => stopReasons[finish ?? ''] ?? null

const harnessText = (event: EventOf<'message.added'>): Line => ({
  type: 'user',
  message: {
    role: 'user',
    content: event.parts.flatMap((part) => (part.type === 'text' ? [{ type: 'text', text: part.text }] : [])),
  },
  parent_tool_use_id: null,
  isSynthetic: true,
})

const toolLine = ({ ref, content, status }: EventOf<'tool.finished'>): Line => ({
  type: 'user',
  message: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: ref.call, content: content.map(resultLine), is_error: status !== 'ok' },
    ],
  },
  parent_tool_use_id: null,
})

function resultLine(part: ResultPart): Line {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'error') return { type: 'text', text: `Error (${part.code}): ${part.message} ${part.next}` }
  return { type: 'text', text: part.type === 'file' ? `[file ${part.path}]` : `[image ${part.mime}]` }
}

const deniedLine = ({ ref, reasons, decidedBy }: EventOf<'tool.judged'>): Line => ({
  type: 'system',
  subtype: 'permission_denied',
  tool_name: ref.tool,
  tool_use_id: ref.call,
  reason: reasons.join('; '),
  ...(decidedBy.rule !== undefined && { rule: decidedBy.rule }),
  ...(decidedBy.file !== undefined && { file: decidedBy.file }),
})

/** Nothing when no retry is left: then the result says it. */
function retryLine({ failure, retryAfter = 0, roll, at }: EventOf<'model.failed'>, count: number): Line | undefined {
  const kind = failure.class ?? 'internal'
  const most = retriesOf(kind)
  if (count > most) return undefined
  const due = retryAt({ class: kind, count, total: count, at, roll, retryAfter, message: failure.message })
  const wait = { attempt: count, max_attempts: most, retry_in_ms: due - at }
  return { type: 'system', subtype: 'api_retry', ...wait, class: kind, error: failure.message }
}
