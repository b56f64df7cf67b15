// A scripted turn as the events of a streamed message, and as a whole one.
import type { FinishReason, Json, JsonObject } from '@tenon/protocol'
import { chunksOf } from '../chunks.ts'
import type { Frame, WireReply } from '../format.ts'
import { callsOf, type WireCall } from '../wire/calls.ts'
import { countsOf } from '../wire/counts.ts'
import { objectOf } from '../wire/json.ts'
import { proofOf } from '../wire/proof.ts'

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
  interrupted: 'pause_turn',
  error: 'refusal',
}

export function anthropicFrames(reply: WireReply): readonly Frame[] {
  const { turn, noise } = reply
  const frames: Frame[] = [frame(startOf(reply)), frame({ type: 'ping' })]
  let index = 0
  const block = (content: JsonObject, deltas: readonly JsonObject[], after: readonly JsonObject[] = []) => {
    const delta = (part: JsonObject) => ({ type: 'content_block_delta', index, delta: part })
    frames.push(frame({ type: 'content_block_start', index, content_block: content }))
    for (const part of deltas) {
      frames.push(frame(delta(part), true))
      if (noise === 'nulls') frames.push(frame(delta(nulled(part))))
    }
    frames.push(...after.map((part) => frame(delta(part))), frame({ type: 'content_block_stop', index }))
    index++
  }
  const pieces = (text: string) => chunksOf(text, turn.chunk ?? 64)
  if (turn.reasoning !== undefined) {
    const proof = proofOf('anthropic', turn.reasoning)
    if (turn.redacted) block({ type: 'redacted_thinking', data: proof }, [])
    else
      block(
        { type: 'thinking', thinking: '', signature: '' },
        pieces(turn.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        [{ type: 'signature_delta', signature: proof }],
      )
  }
  if (turn.text)
    block(
      { type: 'text', text: '' },
      pieces(turn.text).map((text) => ({ type: 'text_delta', text })),
    )
  for (const call of callsOf(reply))
    block(
      { type: 'tool_use', id: call.id, name: call.name, input: {} },
      pieces(call.text).map((text) => ({ type: 'input_json_delta', partial_json: text })),
    )
  if (noise === 'no-delta') frames.splice(4, 0, frame({ type: 'content_block_delta', index: 0 }))
  frames.push(
    frame({
      type: 'message_delta',
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      usage: { output_tokens: countsOf(reply).output },
    }),
  )
  return [...frames, frame({ type: 'message_stop' })]
}

export const blankFrames = (reply: WireReply): readonly Frame[] => [
  frame(startOf(reply)),
  frame({ type: 'message_stop' }),
]

export function wholeMessage(reply: WireReply): JsonObject {
  const { reasoning, redacted, text } = reply.turn
  const proof = proofOf('anthropic', reasoning ?? '')
  const thought = redacted
    ? { type: 'redacted_thinking', data: proof }
    : { type: 'thinking', thinking: reasoning ?? '', signature: proof }
  return {
    ...messageOf(reply),
    content: [
      ...(reasoning === undefined ? [] : [thought]),
      ...(text ? [{ type: 'text', text }] : []),
      ...callsOf(reply).map(toolUse),
    ],
    stop_reason: stopOf(reply),
    usage: usageOf(reply),
  }
}

export const event = (data: JsonObject): string => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`

const frame = (data: JsonObject, delta = false): Frame => ({ text: event(data), delta })

const messageOf = ({ id, model }: WireReply): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
})

const startOf = (reply: WireReply): JsonObject => ({
  type: 'message_start',
  message: { ...messageOf(reply), stop_reason: null, stop_sequence: null, usage: usageOf(reply) },
})

/** The counts are disjoint, as the script's. Thoughts are told apart for the sake of the script. */
function usageOf(reply: WireReply): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = countsOf(reply)
  return {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
    ...(reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}

const stopOf = ({ turn }: WireReply): string => stopReasons[turn.finish ?? (turn.calls?.length ? 'calls' : 'stop')]

/** A whole message holds an object: text that is none becomes an empty one. */
function toolUse({ id, name, text }: WireCall): JsonObject {
  return { type: 'tool_use', id, name, input: objectOf(parsed(text)) }
}

export function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const nulled = ({ type, ...fields }: JsonObject): JsonObject => ({
  type: type ?? null,
  ...Object.fromEntries(Object.keys(fields).map((key) => [key, null])),
})
