// A scripted turn as the events of a streamed response, and as a whole one.
import type { JsonObject } from '@tenon/protocol'
import { chunksOf } from '../chunks.ts'
import type { Frame, WireReply } from '../format.ts'
import { callsOf } from '../wire/calls.ts'
import { countsOf } from '../wire/counts.ts'
import { proofOf } from '../wire/proof.ts'

export function responsesFrames(reply: WireReply): readonly Frame[] {
  const { turn, noise } = reply
  const frames: Frame[] = [frame({ type: 'response.created', response: head(reply) })]
  const pieces = (text: string) => chunksOf(text, turn.chunk ?? 64)
  const deltas = (type: string, text: string, fields: JsonObject) => {
    for (const delta of pieces(text)) {
      frames.push(frame({ type, ...fields, delta }, true))
      if (noise === 'nulls') frames.push(frame({ type, ...fields, delta: null }))
    }
  }
  for (const [output_index, item] of outputOf(reply).entries()) {
    const at = { output_index, item_id: item.id ?? null }
    frames.push(frame({ type: 'response.output_item.added', output_index, item: emptied(item) }))
    if (item.type === 'reasoning' && !turn.redacted) {
      const part = { ...at, summary_index: 0 }
      frames.push(
        frame({ type: 'response.reasoning_summary_part.added', ...part, part: { type: 'summary_text', text: '' } }),
      )
      deltas('response.reasoning_summary_text.delta', turn.reasoning ?? '', part)
    }
    if (item.type === 'message') deltas('response.output_text.delta', turn.text ?? '', { ...at, content_index: 0 })
    if (item.type === 'function_call') deltas('response.function_call_arguments.delta', String(item.arguments), at)
    frames.push(frame({ type: 'response.output_item.done', output_index, item }))
  }
  if (noise === 'no-delta') frames.splice(3, 0, frame({ type: 'response.output_text.delta', output_index: 0 }))
  const { status } = whole(reply)
  return [...frames, frame({ type: `response.${String(status)}`, response: whole(reply) })]
}

export const blankFrames = (reply: WireReply): readonly Frame[] => [
  frame({ type: 'response.created', response: head(reply) }),
  frame({ type: 'response.in_progress', response: head(reply) }),
]

export function whole(reply: WireReply): JsonObject {
  const { finish } = reply.turn
  const reason = finish === 'length' ? 'max_output_tokens' : finish === 'refused' ? 'content_filter' : undefined
  return {
    ...head(reply),
    status: reason ? 'incomplete' : 'completed',
    incomplete_details: reason ? { reason } : null,
    output: outputOf(reply),
    usage: usageOf(reply),
  }
}

export const event = (data: JsonObject): string => `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`

const frame = (data: JsonObject, delta = false): Frame => ({ text: event(data), delta })

const head = ({ id, model }: WireReply): JsonObject => ({
  id,
  object: 'response',
  created_at: 0,
  model,
  status: 'in_progress',
  error: null,
  output: [],
})

function outputOf(reply: WireReply): readonly JsonObject[] {
  const { reasoning, redacted, text } = reply.turn
  const summary = redacted || !reasoning ? [] : [{ type: 'summary_text', text: reasoning }]
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${reply.id}`,
            summary,
            encrypted_content: proofOf('openai-responses', reasoning),
          },
        ]),
    ...(text
      ? [
          {
            type: 'message',
            id: `msg_${reply.id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]
      : []),
    ...callsOf(reply).map(({ id, name, text: args }, index) => ({
      type: 'function_call',
      id: `fc_${reply.id}_${index}`,
      call_id: id,
      name,
      arguments: args,
      status: 'completed',
    })),
  ]
}

/** As it is announced, before its deltas. */
function emptied(item: JsonObject): JsonObject {
  if (item.type === 'function_call') return { ...item, arguments: '', status: 'in_progress' }
  return item.type === 'reasoning' ? { ...item, summary: [] } : { ...item, content: [], status: 'in_progress' }
}

/** The wire's counts overlap: input holds the cached tokens, output the reasoning. */
function usageOf(reply: WireReply): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = countsOf(reply)
  const prompt = input + cacheRead + cacheWrite
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + output,
  }
}
