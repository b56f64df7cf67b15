// From the bytes of an answer to JSON chunks: server-sent events, or the whole JSON reply that some servers send although
// a stream was asked for.
import { ModelFailure } from '@tenon/core'
import type { JsonObject } from '@tenon/protocol'
import { toModelFailure } from '../failure/provider-error.ts'
import { toObject } from './json.ts'
import type { Answer } from './transport.ts'

export interface ChunkFacts {
  readonly provider: string
  now(): number
  /** A whole reply as the chunks of a stream; `undefined` when it is no reply. */
  whole(body: JsonObject): readonly JsonObject[] | undefined
}

/** `done` is the provider's word that the stream is complete. */
export type Chunk = { readonly type: 'chunk'; readonly value: JsonObject } | { readonly type: 'done' }

/** @throws ModelFailure `server` for a body or chunk that is no JSON, the classed error for an error body */
export async function* chunksOf({ bytes, contentType }: Answer, facts: ChunkFacts): AsyncGenerator<Chunk> {
  let isEvents: boolean | undefined = /event-stream/i.test(contentType) || undefined
  const whole: string[] = []
  let data: string[] = []
  for await (const line of linesOf(bytes)) {
    if (line.trim()) isEvents ??= /^\s*(data|event|id|retry)?:/.test(line)
    if (!isEvents) whole.push(line)
    else if (line.startsWith('data:')) data.push(line.slice(5))
    else if (line === '' && data.length) {
      yield* toChunk(data.join('\n'), facts)
      data = []
    }
  }
  if (isEvents === false) yield* fromWhole(whole.join('\n'), contentType, facts)
  // An end without the blank line is an end all the same.
  else if (data.length) yield* toChunk(data.join('\n'), facts)
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const chunk of bytes) {
    const [first = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
    rest.push(first)
    if (!lines.length) continue
    yield withoutReturn(rest.join(''))
    rest = [lines.pop() ?? '']
    for (const line of lines) yield withoutReturn(line)
  }
  rest.push(decoder.decode())
  const last = withoutReturn(rest.join(''))
  if (last) yield last
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

function* toChunk(text: string, { provider }: ChunkFacts): Generator<Chunk> {
  const trimmed = text.trim()
  if (trimmed === '[DONE]') return yield { type: 'done' }
  if (!trimmed) return
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    throw new ModelFailure('server', `${provider} sent an unreadable chunk: ${trimmed.slice(0, 500)}`)
  }
  const object = toObject(value)
  if (object) yield { type: 'chunk', value: object }
}

function* fromWhole(text: string, contentType: string, { provider, now, whole }: ChunkFacts): Generator<Chunk> {
  const wrong = (what: string) =>
    new ModelFailure(
      'server',
      `${provider} answered 200 with ${what} instead of a stream: ${text.trim().slice(0, 200)}`,
    )
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw wrong(contentType || 'text')
  }
  const reply = toObject(body)
  if (reply?.error) throw toModelFailure(body, { provider, now: now() })
  const chunks = reply && whole(reply)
  if (!chunks) throw wrong('other JSON')
  yield* chunks.map((value): Chunk => ({ type: 'chunk', value }))
  yield { type: 'done' }
}
