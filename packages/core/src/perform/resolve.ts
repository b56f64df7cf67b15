// Effect resolve: tools that touch nothing. A question becomes an ask; a pure tool gives its events and its result at once.
import type { Call, RunState } from '@tenon/projections'
import type { Draft } from '@tenon/protocol'
import { finished } from '../next/close.ts'
import type { PerformPorts } from './ports.ts'
import { toFinished } from './result.ts'

export function resolveCall(ports: PerformPorts, call: Call, state: RunState): Draft[] {
  const tool = ports.tools.find(({ name }) => name === call.ref.tool)
  const input = call.judged?.input
  if (tool?.kind === 'ask') {
    const { title, questions } = tool.toQuestions(input)
    return [
      {
        type: 'ask.opened',
        by: 'agent',
        kind: 'question',
        ref: call.ref,
        title,
        detail: '',
        options: [],
        rules: [],
        questions,
      },
    ]
  }
  if (tool?.kind === 'emit') {
    const { result, todos } = tool.emit(input, { todos: state.branch.todos })
    const changed: Draft[] = todos ? [{ type: 'todos.changed', by: 'agent', todos }] : []
    return [...changed, { ...toFinished(call.ref, result, 0), unstarted: 'emit' }]
  }
  const content = [
    { type: 'error', code: 'tool_unknown', message: `The tool ${call.ref.tool} is gone.`, next: 'Use another tool.' },
  ] as const
  return [finished(call.ref, { by: 'harness', status: 'error', unstarted: 'invalid', content })]
}
