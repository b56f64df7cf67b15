// Between the bytes of a chat stream and the AI SDK's reader. It moves raw tool-call deltas out of the SDK's sight (which
// would give empty and doubled ids a random one, and fail on null fields), notes `[DONE]`, and turns a whole JSON reply,
// which some servers send although a stream was asked for, into frames.
import { ModelFailure } from '@tenon/core'
import { toModelFailure } from '../failure/provider-error.ts'
import type { Answer } from './transport.ts'

/** Top-level field of a chunk that carries its tool-call deltas as the provider sent them. */
export const rawCalls = 'tenon_calls'

export interface FrameFacts {
  readonly provider: string
  now(): number
  /** Called when the provider said that the stream is complete. */
  onDone(): void
}

/** The answer as server-sent events, in whole lines. @throws ModelFailure `server` when the body is something else */
export async function* framesOf({ bytes, contentType }: Answer, facts: FrameFacts): AsyncGenerator<string> {
  let isEvents: boolean | undefined = /event-stream/i.test(contentType) || undefined
  let whole = ''
  for await (const lines of linesOf(bytes)) {
    const first = lines.find((line) => line.trim())
    if (first !== undefined) isEvents ??= /^\s*(data|event|id|retry)?:/.test(first)
    if (isEvents) yield lines.map((line) => toFrame(line, facts)).join('')
    else whole += lines.join('')
  }
  if (isEvents === false) yield* fromWhole(whole, contentType, facts)
}

/** Complete lines with their ends, as many as each chunk completes. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length) yield lines.map((line) => `${line}\n`)
  }
  rest += decoder.decode()
  if (rest) yield [`${rest}\n`]
}

function toFrame(line: string, { onDone }: FrameFacts): string {
  if (!line.startsWith('data:')) return line
  if (/^data:\s*\[DONE\]/.test(line)) onDone()
  return line.includes('"tool_calls"') ? `data: ${moveCalls(line.slice(5))}\n` : line
}

/** Only the first choice counts; more are never asked for. */
function moveCalls(text: string): string {
  try {
    const chunk = JSON.parse(text)
    const { tool_calls: calls, ...delta } = chunk.choices[0].delta
    return JSON.stringify({ ...chunk, choices: [{ ...chunk.choices[0], delta }], [rawCalls]: calls ?? [] })
  } catch {
    // Not a chunk with calls after all; the SDK's reader judges it.
    return text.trimEnd()
  }
}

function* fromWhole(text: string, contentType: string, { provider, now, onDone }: FrameFacts): Generator<string> {
  const wrong = (what: string) =>
    new ModelFailure(
      'server',
      `${provider} answered 200 with ${what} instead of a stream: ${text.trim().slice(0, 200)}`,
    )
  let body: { error?: unknown; choices?: readonly { message?: object }[] } | null
  try {
    body = JSON.parse(text)
  } catch {
    throw wrong(contentType || 'text')
  }
  if (body?.error) throw toModelFailure(body, { provider, now: now() })
  const [choice] = body?.choices ?? []
  if (!choice?.message) throw wrong('other JSON')
  const { message, ...facts } = choice
  const chunk = JSON.stringify({ ...body, choices: [{ ...facts, delta: message }] })
  yield `data: ${moveCalls(chunk)}\n`
  yield '\n'
  onDone()
}
