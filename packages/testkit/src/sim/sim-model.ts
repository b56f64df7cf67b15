// A model that says anything: text, calls, nothing, half a reply, failures. It checks every request as the strictest provider would.
import { type Clock, type Model, ModelFailure, type ModelMessage, type ModelPart, type ModelRequest } from '@tenon/core'
import { emptyUsage, type FailureClass, type FinishReason } from '@tenon/protocol'
import type { Random } from './random.ts'
import type { World } from './world.ts'

const tools = {
  Read: 4,
  Edit: 4,
  Bash: 2,
  Slow: 1,
  Fail: 1,
  AskUserQuestion: 1,
  TodoWrite: 1,
  Finish: 1,
  Nope: 0.3,
  Broken: 0.3,
}
const failures: readonly FailureClass[] = [
  'rate_limit',
  'overloaded',
  'connection',
  'server',
  'empty',
  'bad_request',
  'content_policy',
]

/** @param stubborn a model that mostly repeats one call, to meet the loop guard */
export function createSimModel(
  world: World,
  random: Random,
  clock: Clock,
  stubborn: boolean,
  seen: (request: ModelRequest) => void,
): Model {
  let calls = 0
  return {
    async *stream(request, signal) {
      for (const problem of requestProblems(request.messages)) world.problems.push(problem)
      seen(request)
      await clock.until(clock.now() + random.below(300), signal)
      if (stubborn && random.chance(0.9)) {
        yield* repeat()
        return
      }
      const kind = random.weighted({
        text: 3,
        calls: 8,
        empty: 0.5,
        thought: 0.3,
        length: 0.4,
        refused: 0.2,
        fail: 1,
        cut: 0.4,
      })
      if (kind === 'fail')
        throw new ModelFailure(random.pick(failures) ?? 'server', 'no', random.chance(0.3) ? { retryAfter: 3_000 } : {})
      if (kind === 'thought' || random.chance(0.2)) {
        yield { type: 'reasoning.start', id: 'r' }
        yield { type: 'reasoning.delta', id: 'r', text: 'hm' }
        yield { type: 'reasoning.end', id: 'r', signature: `s${calls++}` }
      }
      if (kind === 'text' || kind === 'cut' || kind === 'length' || random.chance(0.3)) {
        yield { type: 'text.start', id: 't' }
        yield { type: 'text.delta', id: 't', text: `words ${calls++}` }
        await clock.until(clock.now() + random.below(200), signal)
      }
      if (kind === 'cut') throw new ModelFailure('connection', 'cut')
      const count = kind === 'calls' ? 1 + random.below(4) : kind === 'length' ? random.below(2) : 0
      for (let i = 0; i < count; i++) {
        const name = random.weighted(tools)
        const key = random.chance(0.15) ? 'same' : `${request.try}:${calls++}:${clock.now()}`
        const text =
          name === 'Broken'
            ? '{"key": tru'
            : JSON.stringify({ key, file: random.pick(['a', 'b', 'c']), ms: 1 + random.below(600) })
        yield {
          type: 'call.start',
          id: `${i}`,
          name: name === 'Broken' ? 'Read' : name,
          wireId: random.pick(['', 'dup', `w${calls}`]) ?? '',
        }
        await clock.until(clock.now() + random.below(50), signal)
        yield { type: 'call.end', id: `${i}`, name: name === 'Broken' ? 'Read' : name, text }
      }
      const reason: FinishReason = kind === 'length' ? 'length' : kind === 'refused' ? 'refused' : 'stop'
      yield {
        type: 'finish',
        reason,
        usage: { ...emptyUsage, input: 10, output: 5 },
        cost: { nanoUsd: 1000, source: 'config' },
      }
    },
  }
}

function* repeat(): Generator<ModelPart> {
  yield { type: 'call.start', id: '0', name: 'Read', wireId: '' }
  yield { type: 'call.end', id: '0', name: 'Read', text: '{"key":"same","file":"a","ms":5}' }
  yield {
    type: 'finish',
    reason: 'calls',
    usage: { ...emptyUsage, input: 10, output: 5 },
    cost: { nanoUsd: 1000, source: 'config' },
  }
}

/** What a strict provider refuses: unpaired, doubled, unordered or late results, a first message that is not the user's. */
export function requestProblems(messages: readonly ModelMessage[]): string[] {
  const problems: string[] = []
  if (messages[0]?.role !== 'user') problems.push(`request starts with ${messages[0]?.role ?? 'nothing'}`)
  const ids = new Set<string>()
  for (const [i, message] of messages.entries()) {
    const before = messages[i - 1]
    if (message.role !== 'tool' && message.parts.length === 0) problems.push('an empty message')
    if (message.role === before?.role) problems.push(`two ${message.role} messages in a row`)
    if (message.role === 'tool' && before?.role !== 'assistant') problems.push('results without their message')
    if (message.role !== 'assistant') continue
    const calls = message.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
    for (const id of calls) {
      if (ids.has(id)) problems.push(`call id ${id} twice`)
      ids.add(id)
    }
    const after = messages[i + 1]
    const results = after?.role === 'tool' ? after.results.map(({ call }) => call) : []
    if (calls.join() !== results.join()) problems.push(`calls ${calls.join()} answered by ${results.join()}`)
  }
  return problems
}
