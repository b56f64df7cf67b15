// Crash-everywhere: a log that ends anywhere is opened, recovered and gone on with. What must hold then, in words.
import type { Group, Log, Tool } from '@tenon/core'
import { canonicalJson, type Event } from '@tenon/protocol'
import { createMemoryLog } from '../log/memory-log.ts'
import { logProblems } from '../sim/oracle.ts'
import { createRandom } from '../sim/random.ts'
import { requestProblems } from '../sim/sim-model.ts'
import { createMemoryWorkspace } from '../workspace/memory-workspace.ts'
import { createMemoryBlobs } from './blobs.ts'
import { placeOf } from './play.ts'
import type { Scenario } from './schema.ts'
import { createStage, type Time } from './stage.ts'

/** A memory log that holds these groups and nobody. */
export async function logOf(groups: readonly Group[]): Promise<Log> {
  const log = createMemoryLog('ses_stage')
  const lease = await log.claim({})
  for (const group of groups) await lease.append(group)
  await lease.release()
  return log
}

export interface CutOptions {
  readonly tools: readonly Tool[]
  readonly time?: Time
}

/**
 * Opens what is left of a story's log, lets it recover, says "go on" and waits for rest.
 * @param kept seqs that were acknowledged: they must be there, unchanged
 */
export async function goOn(
  story: Scenario,
  log: Log,
  kept: readonly Event[],
  { tools, time }: CutOptions,
): Promise<readonly string[]> {
  const files = createMemoryWorkspace({ files: story.files })
  const ran: string[] = []
  const stage = await createStage({
    log,
    opens: false,
    onAsk: story.onAsk,
    blobs: createMemoryBlobs(),
    place: placeOf(story, { tools: tools.map((tool) => watched(tool, ran)), files }),
    replies: Array.from({ length: 6 }, () => ({ text: 'I go on.' })),
    // Another process has other dice: else it would make the ids of the first one again.
    random: createRandom(2).next,
    ...(time && { time }),
  })
  const sent = await stage.send('go on')
  await stage.rest()
  await stage.close()
  const events = (await log.read()).groups.flat()
  const state = stage.session.state()
  const problems = [
    ...logProblems(events, state),
    ...stage.model.requests.flatMap(({ messages }) => requestProblems(messages)),
  ]
  if (!sent.accepted) problems.push(`refused: ${sent.refusal.code}`)
  if (state.last?.outcome !== 'done') problems.push(`it ended ${state.last?.outcome} by ${state.last?.row}`)
  if (state.batch || state.attempts.length > 0 || state.asks.length > 0) problems.push('something is left open')
  const started = kept.flatMap((event) => (event.type === 'tool.started' ? [canonicalJson(event.input)] : []))
  problems.push(
    ...ran.filter((input) => started.includes(input)).map((input) => `started before and run again: ${input}`),
  )
  const changed = kept.filter((event, i) => JSON.stringify(events[i]) !== JSON.stringify(event))
  for (const { seq } of changed) problems.push(`seq ${seq} was acknowledged and is not there unchanged`)
  const recovered = events.slice(kept.length).filter(({ type }) => type === 'run.ended')
  if (recovered.length > 2) problems.push('recovered more than once')
  return problems
}

/** The tool, and a note of each time that its body runs. */
const watched = (tool: Tool, ran: string[]): Tool =>
  tool.kind === 'run'
    ? {
        ...tool,
        run: (input, context) => {
          ran.push(canonicalJson(input))
          return tool.run(input, context)
        },
      }
    : tool
