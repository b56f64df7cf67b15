// The model `script:FILE`. Which turn is served is read off the request, so that a retry gets its turn again and a
// resumed session goes on with the next one.
import { type Model, ModelFailure, type ModelRequest } from '@tenon/core'
import { type Piece, type Reply, streamReply } from './reply.ts'
import { textOf, turnOf } from './request.ts'
import { type ScriptTurn, type ScriptTurnInput, scriptTurn } from './schema.ts'

/**
 * A model that answers from `turns`, one a reply.
 * `stream` throws ModelFailure `bad_request` when the script runs out, an `expect` fails or a turn holds a `fault`
 * (that one needs the model server); each names the turn, from 1.
 * @param name the file, for errors
 */
export function createScriptModel(turns: readonly ScriptTurnInput[], { name = 'script' } = {}): Model {
  const script = turns.map((turn) => scriptTurn.parse(turn))
  // Failures served per turn: `request.try` restarts from 0 when a failed run is run again.
  const failed = new Map<number, number>()

  return {
    async *stream(request, signal) {
      const index = turnOf(request)
      const turn = findTurn(script, index, request, name)
      const served = Math.max(request.try, failed.get(index) ?? 0)
      const broken =
        turn.fail && served < turn.fail.times ? { after: turn.fail.after, error: toFailure(turn) } : undefined
      if (broken) failed.set(index, served + 1)
      yield* streamReply(toReply(turn, index), { signal, pace: turn, ...(broken && { broken }) })
    },
  }
}

function findTurn(script: readonly ScriptTurn[], index: number, request: ModelRequest, name: string): ScriptTurn {
  const turn = script[index]
  const refuse = (what: string) => new ModelFailure('bad_request', `${name}, turn ${index + 1}: ${what}`)
  if (!turn) throw refuse(`the script has only ${script.length} turns.`)
  if (turn.fault) throw refuse(`the fault "${turn.fault.type}" needs the wire; serve it with tenon dev model-server.`)
  const problem = unexpected(turn, request)
  if (problem) throw refuse(problem)
  return turn
}

function unexpected({ expect }: ScriptTurn, request: ModelRequest): string | undefined {
  const last = textOf(request.messages.at(-1))
  if (expect?.last !== undefined && !last.includes(expect.last))
    return `expected the newest message to contain ${JSON.stringify(expect.last)}; it is ${JSON.stringify(last.slice(0, 500))}.`
  const offered = request.tools.map((tool) => tool.name)
  const missing = expect?.tools?.filter((tool) => !offered.includes(tool)) ?? []
  if (missing.length) return `expected the tools ${missing.join(', ')}; offered are ${offered.join(', ') || 'none'}.`
  return undefined
}

function toFailure({ fail }: ScriptTurn): ModelFailure {
  const { class: failureClass = 'internal', message, status, retryAfter } = fail ?? {}
  return new ModelFailure(failureClass, message ?? `Scripted failure: ${failureClass}.`, {
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

function toReply(turn: ScriptTurn, index: number): Reply {
  const calls = turn.calls.map(
    (call, place): Piece => ({
      type: 'call',
      name: call.name,
      text: call.raw ?? JSON.stringify(call.input),
      wireId: call.id ?? `call_${index + 1}_${place + 1}`,
    }),
  )
  const pieces: Piece[] = []
  if (turn.reasoning) pieces.push({ type: 'reasoning', text: turn.reasoning })
  if (turn.text) pieces.push({ type: 'text', text: turn.text })
  return {
    pieces: [...pieces, ...calls],
    finish: turn.finish ?? (calls.length ? 'calls' : 'stop'),
    usage: turn.usage ?? null,
  }
}
