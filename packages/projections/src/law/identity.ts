// Law 3: a result names the asking message, the call id and the canonical tool. All three must name one call without a result.
import type { CallRef, Event } from '@tenon/protocol'

export type LinkProblem =
  | 'unknown message'
  | 'wrong call'
  | 'wrong tool'
  | 'second result'
  | 'second start'
  | 'not started'

/** Calls of a path with what happened to each: the full form of the append rule, for logs from files. */
export class CallBook {
  readonly #messages = new Map<string, Map<string, { tool: string; started: boolean; finished: boolean }>>()

  /** Notes one path event; says what is wrong with it, else `undefined`. */
  add(event: Event): LinkProblem | undefined {
    if (event.type === 'message.added') {
      const calls = event.parts.filter((part) => part.type === 'call')
      const rows = calls.map((call) => [call.id, { tool: call.tool, started: false, finished: false }] as const)
      this.#messages.set(event.id, new Map(rows))
    }
    if (event.type === 'tool.started') return this.#start(event.ref)
    if (event.type === 'tool.finished') return this.#finish(event)
    return undefined
  }

  /** Calls that have no result yet. */
  pending(): CallRef[] {
    const refs: CallRef[] = []
    for (const [message, calls] of this.#messages) {
      for (const [call, row] of calls)
        if (!row.finished) refs.push({ message: message as CallRef['message'], call, tool: row.tool })
    }
    return refs
  }

  #start(ref: CallRef): LinkProblem | undefined {
    const row = this.#find(ref)
    if (typeof row === 'string') return row
    if (row.finished) return 'second result'
    if (row.started) return 'second start'
    row.started = true
    return undefined
  }

  #finish(event: Extract<Event, { type: 'tool.finished' }>): LinkProblem | undefined {
    const row = this.#find(event.ref)
    if (typeof row === 'string') return row
    if (row.finished) return 'second result'
    const ran = event.status === 'ok' || event.status === 'error'
    if (ran && !row.started && event.unstarted === undefined) return 'not started'
    row.finished = true
    return undefined
  }

  #find(ref: CallRef): { tool: string; started: boolean; finished: boolean } | LinkProblem {
    const calls = this.#messages.get(ref.message)
    if (!calls) return 'unknown message'
    const row = calls.get(ref.call)
    if (!row) return 'wrong call'
    return row.tool === ref.tool ? row : 'wrong tool'
  }
}
