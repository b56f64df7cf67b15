// Row 26, act, and what it needs first: a context that was set for this model and build.
import { projectionVersion, requestHash } from '@tenon/projections'
import { fresh } from '@tenon/protocol'
import { end, type Running } from './end.ts'
import { append, type NextContext, rest, type Step } from './step.ts'

/** Gathers the context when there is none, or it was set for another model or build. */
export function prepare(state: Running, { now }: NextContext): Step | null {
  const { set } = state.branch
  const { model, build } = state.settings
  if (set && set.model === model && set.build === build) return null
  const key = `gather:${state.run.id}:${state.anchor}:${model}:${build}`
  const ended = state.ended.find((other) => other.key === key)
  if (!ended)
    return rest('prepare', [
      { type: 'gather', key, begun: false, reason: set ? 'model or build changed' : 'first request' },
    ])
  if (set) return null
  const message = `The context could not be put together: ${ended.failure ?? 'nothing was found'}`
  return end(state, 'prepare', now, {
    outcome: 'failed',
    failure: {
      code: 'gather_failed',
      message,
      action: 'Look at the folder and the instruction files, then go on with `tenon -c`.',
      retryable: true,
    },
  })
}

/** Opens an attempt. The request itself is rebuilt from the log by perform; here its hash is stated. */
export function act(state: Running, context: NextContext): Step {
  const prepared = prepare(state, context)
  if (prepared) return prepared
  const { head, branch, settings, session } = state
  const { set, view } = branch
  if (!head || !set || !session) return end(state, 'act', context.now, { outcome: 'failed', failure: noContext })
  const windDown = branch.windDown === 'asked'
  const slash = settings.model.search(/[/:]/)
  return append('act', [
    {
      type: 'model.started',
      by: 'harness',
      purpose: 'act',
      model: settings.model,
      provider: slash < 0 ? settings.model : settings.model.slice(0, slash),
      why: 'setting model',
      head: head.id,
      contextSet: set.id,
      messages: view?.count ?? 0,
      requestHash: requestHash(set.hash, view, windDown ? 'none' : 'auto', context.hash),
      projection: projectionVersion,
      estimate: Math.ceil((view?.chars ?? 0) / 4),
      message: fresh,
      try: state.failures?.total ?? 0,
      cacheKey: session.id,
      ...(windDown && { windDown: true }),
    },
  ])
}

const noContext = {
  code: 'internal',
  message: 'A reply is owed on a branch without a context.',
  action: 'This is a bug in Tenon; report it with `tenon session events`.',
  retryable: false,
} as const
