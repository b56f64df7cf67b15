// Rows 10 to 18: deliver what waits, then look at a turn that seems to be over. With nothing owed they end the run.
import { todoMark, verifyMark } from '@tenon/projections'
import type { Draft } from '@tenon/protocol'
import { prepare } from './act.ts'
import { end, type Running } from './end.ts'
import { harnessMessage } from './harness-message.ts'
import { reachedLimit } from './limit.ts'
import { append, type NextContext, type Step } from './step.ts'

/** Rows 10 and 11. The context is set before the first message, so that undoing the message keeps it. */
export function owed(state: Running, context: NextContext): Step | null {
  const steers = state.queue.filter(({ delivery }) => delivery === 'steer')
  if (state.branch.owed !== null || state.queue.length > 0) {
    const prepared = prepare(state, context)
    if (prepared) return prepared
  }
  if (steers.length > 0) {
    // A person's own call opens a batch: what was sent after it waits until that batch is complete.
    const call = steers.findIndex(({ parts }) => parts.some(({ type }) => type === 'call'))
    const now = call < 0 ? steers : steers.slice(0, call + 1)
    return append(
      'deliver',
      now.map((message) => deliver(message)),
    )
  }
  if (state.branch.windDown === 'said' && !grantedAfresh(state)) {
    return end(state, 'wound down', context.now, {
      outcome: 'limit',
      limit: reachedLimit(state, context.now) ?? 'turns',
    })
  }
  return null
}

/** `run` after a limit counts from the wind-down reply on. */
const grantedAfresh = ({ base, branch }: Running): boolean =>
  base.person === branch.person && base.turns >= branch.turns

const deliver = ({ id, parts }: Running['queue'][number]): Draft => ({
  type: 'message.added',
  by: 'person',
  role: 'user',
  queued: id,
  parts,
})

/** Rows 12 to 18, at a turn end with nothing owed: mend, queued, unfinished, done. */
export function finish(state: Running, context: NextContext): Step {
  return (
    goOn(state) ??
    mend(state, context) ??
    queued(state) ??
    unfinished(state) ??
    end(state, 'done', context.now, { outcome: 'done' })
  )
}

/** The work was wound down at a limit that a person has lifted since. */
const goOn = (state: Running): Step | null =>
  state.branch.windDown === 'said' && state.queue.length === 0
    ? append('wound down', [harnessMessage('nudge', 'There is room again. Go on with what is left.')])
    : null

function mend(state: Running, { now }: NextContext): Step | null {
  const { reply, continues, empties, refusals } = state.branch
  if (!reply || reply.calls > 0) return null
  if (reply.finish === 'length' && continues <= 3) {
    return append('mend', [
      harnessMessage('nudge', 'Your reply was cut by the output limit. Go on exactly where it stopped.'),
    ])
  }
  if (reply.finish === 'refused') {
    if (refusals > 1) return end(state, 'mend', now, { outcome: 'refused', failure: refusedFailure })
    return append('mend', [
      harnessMessage(
        'nudge',
        'The reply was withheld by a content policy. Say what can be done, or do the permitted part.',
      ),
    ])
  }
  if (reply.empty && empties > 3) return end(state, 'mend', now, { outcome: 'stuck', failure: emptyFailure })
  if (reply.empty) {
    return append('mend', [harnessMessage('nudge', 'Your reply was empty. Call a tool, or answer the user in words.')])
  }
  return null
}

const emptyFailure = {
  code: 'stuck',
  class: 'empty',
  message: 'The model gave empty replies, however often it was asked to act or to answer.',
  action: 'Use another model, or look at its server.',
  retryable: false,
} as const

const refusedFailure = {
  code: 'refused',
  class: 'content_policy',
  message: 'The model refused twice.',
  action: 'Rephrase the request, or use another model.',
  retryable: false,
} as const

/** Row 13: the oldest queued message, one a turn; decided before `done`, so that none is lost. */
function queued(state: Running): Step | null {
  const message = state.queue[0]
  return message ? append('queued', [deliver(message)]) : null
}

/** Row 14: open todos are named at most twice, an unchecked change once. */
function unfinished(state: Running): Step | null {
  const { todos, nudged, edited, finish, reply } = state.branch
  // A finishing tool is a deliberate end; a reply cut short by an interrupt is not taken up by a nudge.
  if (finish !== null || !reply || reply.finish === 'interrupted') return null
  const open = todos.filter(({ status }) => status !== 'completed')
  if (open.length > 0 && nudged.todos < 2) {
    const list = open.map(({ content }) => `- ${content}`).join('\n')
    return append('unfinished', [
      harnessMessage(
        'nudge',
        `${todoMark}\n${list}\nGo on with them, or update the list if they are done or no longer needed.`,
      ),
    ])
  }
  if (edited && state.settings['checks.verify'] && nudged.verify < 1) {
    return append('unfinished', [
      harnessMessage(
        'nudge',
        `${verifyMark} files were changed and nothing was run since. Check the change, or say why that is not needed.`,
      ),
    ])
  }
  return null
}
