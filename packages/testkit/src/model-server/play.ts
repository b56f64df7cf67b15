// Plays one turn over one HTTP response: frames at their pace, and the turn's fault at its place.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { toWireError } from './errors.ts'
import type { Frame, WireError, WireFormat } from './format.ts'
import type { ServerFault, ServerTurn } from './turn.ts'

export interface Stage {
  readonly response: ServerResponse
  readonly format: WireFormat
  /** Aborted when the client goes away. */
  readonly gone: AbortSignal
}

/** What goes wrong after `after` deltas. */
export interface Break {
  /** True for an error status in place of a stream. */
  readonly before: boolean
  readonly after: number
  readonly fault: ServerFault
  readonly error: WireError
}

/** Sends an error before any reply, with the waits that the turn states. */
export function playError({ response, format }: Stage, error: WireError, retryAfter?: number): void {
  response.writeHead(error.status, { 'content-type': 'application/json', ...retryHeaders(retryAfter) })
  response.end(JSON.stringify(format.error(error)))
}

/** Sends a body that is no reply: a gateway's page, a provider's own error JSON. */
export function playBody({ response }: Stage, fault: ServerFault): void {
  const { status = 200, contentType = 'text/html', body = '<html>gateway</html>', headers = {}, retryDateMs } = fault
  const date = retryDateMs === undefined ? undefined : new Date(Date.now() + retryDateMs).toUTCString()
  response.writeHead(status, { 'content-type': contentType, ...headers, ...(date && { 'retry-after': date }) })
  response.end(body)
}

/** Streams `frames`; without a fault it ends after the last one. */
export async function playFrames(
  stage: Stage,
  frames: readonly Frame[],
  turn: ServerTurn,
  broken?: Break,
): Promise<void> {
  const { response, gone } = stage
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const breaks = broken?.after
  let deltas = 0
  let pending = broken
  for (const [index, frame] of frames.entries()) {
    const isLast = index === frames.length - 1
    if (pending && (frame.delta || isLast) && (deltas === breaks || isLast)) {
      if ((await playFault(stage, pending)) === 'over') return
      pending = undefined
    }
    if (frame.delta) {
      await pause((turn.delayMs ?? 0) + (deltas === 1 ? (turn.stallMs ?? 0) : 0), gone)
      deltas++
    }
    if (gone.aborted) return
    response.write(frame.text)
  }
  response.end()
}

async function playFault({ response, format, gone }: Stage, { fault, error }: Break): Promise<'over' | 'go on'> {
  switch (fault.type) {
    case 'stall':
      await pause(2 ** 30, gone)
      return 'over'
    case 'keep-alive':
      await keepAlive(response, fault.ms ?? 1000, gone)
      return 'go on'
    case 'cut':
      // Else the frames before it may still be in the buffer and would be lost with the socket.
      await new Promise((resolve) => response.write(': cut\n\n', resolve))
      response.destroy()
      return 'over'
    case 'end':
      response.end()
      return 'over'
    case 'stream-error':
      response.end(format.errorFrame(error))
      return 'over'
    default:
      return 'go on'
  }
}

async function keepAlive(response: ServerResponse, ms: number, gone: AbortSignal): Promise<void> {
  const step = Math.min(1000, Math.max(5, ms / 20))
  for (let waited = 0; waited < ms && !gone.aborted; waited += step) {
    response.write(': keep-alive\n\n')
    await pause(step, gone)
  }
}

async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: gone, ref: false }).catch(() => undefined)
}

function retryHeaders(ms: number | undefined): Record<string, string> {
  if (ms === undefined) return {}
  return ms % 1000 === 0 ? { 'retry-after': String(ms / 1000) } : { 'retry-after-ms': String(ms) }
}

/** How a turn breaks on its `served`-th request (from 0), or `undefined` when it is played whole. */
export function breakOf({ fail, fault }: ServerTurn, served: number): Break | undefined {
  if (fail && served < (fail.times ?? 1)) {
    const type = fail.class === 'connection' ? 'cut' : fail.class === 'stalled' ? 'stall' : 'stream-error'
    const after = fail.after ?? 0
    return { before: type === 'stream-error' && after === 0, after, fault: { type }, error: toWireError(fail) }
  }
  if (fault && served < (fault.times ?? 1)) {
    return { before: false, after: fault.after ?? 0, fault, error: toWireError({ class: 'overloaded' }) }
  }
  return undefined
}
