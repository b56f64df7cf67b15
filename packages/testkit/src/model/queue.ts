// A model for the simulator: replies that the test pushes, given out in order, in memory, without a timer.
import { type Model, ModelFailure, type ModelPart, type ModelRequest } from '@tenon/core'
import type { FailureClass, FinishReason, Json, Usage } from '@tenon/protocol'

export interface QueueReply {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly {
    readonly name: string
    readonly input?: Json
    /** Argument text as it stands, in place of `input`. */
    readonly raw?: string
    /** Default: unique in this model. */
    readonly wireId?: string
  }[]
  /** Default: `calls` when there are calls, else `stop`. */
  readonly finish?: FinishReason
  readonly usage?: Usage
  /** Thrown in place of `finish`, after everything above. */
  readonly fail?: { readonly class: FailureClass; readonly status?: number; readonly retryAfter?: number }
  /** Never finishes: after everything above it rests until it is aborted. */
  readonly hang?: boolean
}

export interface QueueModel extends Model {
  /** Adds replies; a request that waits takes the next one. */
  push(...replies: readonly QueueReply[]): void
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** Requests that wait for a reply. */
  readonly waiting: number
  /** Replies that nobody took yet. */
  readonly left: number
}

/** A request that finds no reply rests until one is pushed or it is aborted (then it throws the signal's reason). */
export function createQueueModel(...first: readonly QueueReply[]): QueueModel {
  const replies = [...first]
  const requests: ModelRequest[] = []
  const waiters = new Set<(reply: QueueReply) => void>()
  let served = 0

  const take = (signal: AbortSignal): Promise<QueueReply> => {
    const ready = replies.shift()
    if (ready) return Promise.resolve(ready)
    return new Promise((resolve, reject) => {
      // Gone at once, so that a reply pushed right after the abort is not given to it.
      const leave = () => {
        waiters.delete(serve)
        reject(signal.reason)
      }
      const serve = (reply: QueueReply) => {
        signal.removeEventListener('abort', leave)
        resolve(reply)
      }
      waiters.add(serve)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    requests,
    get waiting() {
      return waiters.size
    },
    get left() {
      return replies.length
    },
    push(...more) {
      for (const reply of more) {
        const [waiter] = waiters
        if (!waiter) replies.push(reply)
        else {
          waiters.delete(waiter)
          waiter(reply)
        }
      }
    },
    async *stream(request, signal) {
      signal.throwIfAborted()
      requests.push(request)
      const reply = await take(signal)
      for (const part of partsOf(reply, ++served)) {
        signal.throwIfAborted()
        yield part
      }
      if (reply.hang) await aborted(signal)
      signal.throwIfAborted()
      if (reply.fail) throw new ModelFailure(reply.fail.class, `Scripted failure: ${reply.fail.class}.`, reply.fail)
      yield {
        type: 'finish',
        reason: reply.finish ?? (reply.calls?.length ? 'calls' : 'stop'),
        usage: reply.usage ?? null,
      }
    },
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function* partsOf({ reasoning, text, calls = [] }: QueueReply, served: number): Generator<ModelPart> {
  if (reasoning) {
    yield { type: 'reasoning.start', id: 'r' }
    yield { type: 'reasoning.delta', id: 'r', text: reasoning }
    yield { type: 'reasoning.end', id: 'r' }
  }
  if (text) {
    yield { type: 'text.start', id: 't' }
    yield { type: 'text.delta', id: 't', text }
    yield { type: 'text.end', id: 't' }
  }
  for (const [place, { name, input = {}, raw = JSON.stringify(input), wireId }] of calls.entries()) {
    const id = `c${place}`
    yield { type: 'call.start', id, name, wireId: wireId ?? `call_${served}_${place + 1}` }
    yield { type: 'call.delta', id, text: raw }
    yield { type: 'call.end', id, name, text: raw }
  }
}
