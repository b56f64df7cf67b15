// Plays a scenario on a stage, step by step; what is left is its log, its files and the stage itself.
import type { Clock, Group, Tool, Workspace } from '@tenon/core'
import { type Command, command, type Event } from '@tenon/protocol'
import type { QueueReply } from '../model/queue.ts'
import { createMemoryWorkspace, type MemoryWorkspace } from '../workspace/memory-workspace.ts'
import { createMemoryBlobs } from './blobs.ts'
import type { Scenario, ScenarioStep } from './schema.ts'
import { createStage, type Place, type Stage, type StageOptions } from './stage.ts'
import { createStoryWorkspace } from './story-workspace.ts'

export interface Played {
  readonly stage: Stage
  readonly groups: readonly Group[]
  readonly files: MemoryWorkspace
}

export interface PlayOptions extends Pick<StageOptions, 'log' | 'time' | 'blobs'> {
  readonly tools: readonly Tool[]
  /** Default: the scenario's files in memory. */
  readonly workspace?: Workspace
}

export async function playScenario(scenario: Scenario, options: PlayOptions): Promise<Played> {
  const { tools, workspace, ...more } = options
  const files = createMemoryWorkspace({ files: scenario.files })
  const stage = await createStage({
    blobs: createMemoryBlobs(),
    ...more,
    onAsk: scenario.onAsk,
    place: placeOf(scenario, { tools, files, ...(workspace && { workspace }) }),
    // What the schema let through is what a reply and an open may hold.
    replies: scenario.replies as readonly QueueReply[],
    open: { cwd: workspace?.root ?? files.root, mode: 'default', ...scenario.open },
  })
  for (const [i, step] of scenario.steps.entries()) {
    await take(stage, step, `s${i + 1}`)
    await wait(stage, typeof step === 'string' ? 'rest' : step.until)
  }
  return { stage, files, groups: (await stage.log.read()).groups }
}

/** The tools and files of one process of a scenario. */
export const placeOf =
  (
    { commands }: Pick<Scenario, 'commands'>,
    { tools, files, workspace }: { tools: readonly Tool[]; files: MemoryWorkspace; workspace?: Workspace },
  ) =>
  (clock: Clock, alive: () => boolean): Place => ({
    tools,
    workspace: workspace ?? createStoryWorkspace(files, commands, clock, alive),
  })

async function take(stage: Stage, step: ScenarioStep, id: string): Promise<void> {
  if (typeof step === 'object' && 'act' in step) {
    if (step.act === 'crash') await stage.crash()
    else await stage.close()
    return stage.reopen()
  }
  const outcome = await stage.command(toCommand(stage, step, id))
  if (!outcome.accepted) throw new Error(`${id}: refused: ${outcome.refusal.code}: ${outcome.refusal.message}`)
}

function toCommand(stage: Stage, step: Exclude<ScenarioStep, { act: unknown }>, id: string): Command {
  if (typeof step === 'string') return { id, command: 'send', parts: [{ type: 'text', text: step }] }
  if ('send' in step) {
    const { send, delivery = 'auto' } = step
    return { id, command: 'send', parts: [{ type: 'text', text: send }], delivery }
  }
  const { asks, queue } = stage.session.state()
  const text = JSON.stringify({ id, ...step.command })
    .replaceAll('"@ask"', JSON.stringify(asks[0]?.id ?? 'ev_none'))
    .replaceAll('"@queued"', JSON.stringify(queue[0]?.id ?? 'ev_none'))
  return command.parse(JSON.parse(text))
}

async function wait(stage: Stage, until: string): Promise<void> {
  if (until === 'rest') return stage.rest()
  if (until === 'quiet') return stage.quiet()
  const after = stage.session.state().seq
  await stage.settle()
  const found = (event: Event) => event.type === until
  while (!(await stage.events()).some((event) => event.seq > after && found(event))) {
    if (!(await stage.advance())) {
      await stage.settle()
      if ((await stage.events()).some(found)) return
      throw new Error(`no ${until} comes`)
    }
  }
}
