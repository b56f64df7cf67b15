// Effect gather: puts the system prompt and the tool schemas together and sets them for this branch.
import type { RunState } from '@tenon/projections'
import type { Draft, ToolSchema } from '@tenon/protocol'
import type { Effect } from '../next/step.ts'
import { toModelSchema } from '../normalise/schema.ts'
import { stableBlocks } from '../prompt/sections.ts'
import { setHash } from '../request.ts'
import type { Tool } from '../tool.ts'
import type { PerformPorts } from './ports.ts'

export const toolSchemas = (tools: readonly Tool[]): readonly ToolSchema[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: toModelSchema(tool),
    source: 'builtin',
  }))

export async function gather(
  ports: PerformPorts,
  effect: Extract<Effect, { type: 'gather' }>,
  state: RunState,
): Promise<Draft[]> {
  const { model, build } = state.settings
  const volatile = await ports.context.blocks({ cwd: state.session?.cwd ?? ports.workspace.root, model })
  const tools = toolSchemas(ports.tools)
  const hash = setHash({ stable: stableBlocks, volatile, tools }, ports.hash)
  const before = state.branch.set
  const changed = before && before.hash !== hash ? ['content'] : []
  return [
    {
      type: 'context.set',
      by: 'harness',
      stable: stableBlocks,
      volatile,
      tools,
      hash,
      model,
      build,
      reason: effect.reason,
      changed,
    },
  ]
}
