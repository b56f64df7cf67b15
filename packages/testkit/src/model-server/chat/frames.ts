// A scripted turn as the chunks of a streamed chat completion.
import type { Json, JsonObject } from '@tenon/protocol'
import { chunksOf } from '../chunks.ts'
import type { Frame, WireReply } from '../format.ts'
import { callsOf } from '../wire/calls.ts'
import { isObject } from '../wire/json.ts'
import { finishOf, usageOf } from './parts.ts'

/** Role, reasoning, text, calls by index, finish, usage where it was asked for, `[DONE]`. */
export function chatFrames(reply: WireReply): readonly Frame[] {
  const { turn, noise, body } = reply
  const size = turn.chunk ?? 64
  const delta = (fields: Json): Frame => ({ text: chunk(reply, fields), delta: true })
  const extra = (fields: Json): readonly Frame[] =>
    noise === 'nulls' ? [{ text: chunk(reply, fields), delta: false }] : []
  const frames: Frame[] = [{ text: chunk(reply, { role: 'assistant', content: '' }), delta: false }]

  for (const text of chunksOf(turn.reasoning ?? '', size))
    frames.push(delta({ reasoning_content: text }), ...extra({ content: null, reasoning_content: null }))
  for (const text of chunksOf(turn.text ?? '', size))
    frames.push(delta({ content: text }), ...extra({ content: null, tool_calls: null }))
  for (const [index, call] of callsOf(reply).entries()) {
    const part = (fields: JsonObject): Json => ({ tool_calls: [{ index, ...fields }] })
    frames.push(delta(part({ id: call.id, type: 'function', function: { name: call.name, arguments: '' } })))
    frames.push(...extra(part({ id: null, function: { name: null, arguments: null } })))
    for (const text of chunksOf(call.text, size))
      frames.push(
        delta(part({ function: { arguments: text } })),
        ...extra(part({ id: '', function: { arguments: null } })),
      )
  }
  if (noise === 'no-delta')
    frames.splice(2, 0, { text: event({ ...head(reply), choices: [{ index: 0, finish_reason: null }] }), delta: false })

  frames.push({ text: chunk(reply, {}, finishOf(turn)), delta: false })
  const wanted = isObject(body.stream_options) && body.stream_options.include_usage === true
  if (wanted) frames.push({ text: event({ ...head(reply), choices: [], usage: usageOf(reply) }), delta: false })
  return [...frames, done]
}

export const blankFrames = (reply: WireReply): readonly Frame[] => [
  { text: chunk(reply, { role: 'assistant', content: '' }), delta: false },
  done,
]

const done: Frame = { text: 'data: [DONE]\n\n', delta: false }

const head = (reply: WireReply) => ({
  id: reply.id,
  object: 'chat.completion.chunk',
  created: 0,
  model: reply.model,
})

const chunk = (reply: WireReply, delta: Json, finish: string | null = null): string =>
  event({ ...head(reply), choices: [{ index: 0, delta, finish_reason: finish }] })

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`
