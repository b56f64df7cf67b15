// Effect model: streams one reply of an open attempt and gives the message with its bill, or the failure with its class.
import { type Attempt, type RunState, viewSeqs } from '@tenon/projections'
import { type Draft, TenonError } from '@tenon/protocol'
import { ModelFailure, type ModelRequest } from '../model.ts'
import { buildRequest } from '../request.ts'
import type { PerformPorts } from './ports.ts'
import { createReply, type Reply } from './reply.ts'

/** The last reply of a run at its limit may take this long (ms). */
const windDownMs = 60_000

export async function callModel(
  ports: PerformPorts,
  attempt: Attempt,
  state: RunState,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const { clock } = ports
  const startedAt = clock.now()
  const request = await rebuild(ports, attempt, state)
  const limit = new AbortController()
  const stop = AbortSignal.any([signal, limit.signal])
  if (attempt.windDown)
    void clock.until(startedAt + windDownMs, stop).then(
      () => limit.abort(),
      () => undefined,
    )
  const reply = createReply(ports, attempt)
  try {
    const model = await ports.models.resolve(attempt.model)
    for await (const part of model.stream(request, stop)) {
      if (stop.aborted) break
      reply.add(part)
    }
    if (!stop.aborted && !reply.finished())
      throw new ModelFailure('connection', 'The stream ended before the reply was finished.')
    if (stop.aborted) return cut(ports, attempt, reply, clock.now() - startedAt)
    return reply.drafts(clock.now() - startedAt)
  } catch (error) {
    if (stop.aborted) return cut(ports, attempt, reply, clock.now() - startedAt)
    return [failedAttempt(ports, attempt, error, reply)]
  } finally {
    limit.abort()
  }
}

/** The request that `model.started` stated, from the log. */
async function rebuild(ports: PerformPorts, attempt: Attempt, state: RunState): Promise<ModelRequest> {
  const { view, set } = state.branch
  const [setEvent, ...events] = await ports.bodies.pick([...(set ? [set.seq] : []), ...viewSeqs(view)])
  if (setEvent?.type !== 'context.set') {
    throw new TenonError({
      code: 'internal',
      message: 'The context of the branch is not in the log.',
      action: 'Run `tenon session verify`.',
    })
  }
  const request = buildRequest(setEvent, view, events, {
    purpose: attempt.purpose,
    model: attempt.model,
    cacheKey: state.session?.id ?? '',
    try: attempt.try,
    windDown: attempt.windDown,
  })
  return { ...request, load: (sha256) => ports.blobs.get(sha256) }
}

/** An aborted reply is kept as far as it got: whole calls stay, half ones go. */
function cut(ports: PerformPorts, attempt: Attempt, reply: Reply, ms: number): readonly Draft[] {
  if (reply.hasContent()) return reply.drafts(ms, 'interrupted')
  return [failedAttempt(ports, attempt, new ModelFailure('cancelled', 'Stopped before the reply began.'), reply)]
}

function failedAttempt(ports: PerformPorts, attempt: Attempt, error: unknown, reply: Reply): Draft {
  const known = error instanceof ModelFailure ? error : undefined
  const unresolved = error instanceof TenonError ? error.failure : undefined
  if (reply.emitted() > 0)
    ports.emit({ type: 'message.dropped', message: attempt.message, reason: known?.class ?? 'internal' })
  const message = error instanceof Error ? error.message : String(error)
  return {
    type: 'model.failed',
    by: 'harness',
    attempt: attempt.id,
    purpose: attempt.purpose,
    roll: ports.clock.random(),
    failure: unresolved
      ? { ...unresolved, class: unresolved.class ?? 'model_not_found' }
      : {
          code: 'model_failed',
          class: known?.class ?? 'internal',
          message,
          action: 'See the class; what can be retried is retried.',
          retryable: false,
          ...(known === undefined && error instanceof Error && error.stack && { cause: error.stack.slice(0, 4000) }),
        },
    ...(known?.status !== undefined && { status: known.status }),
    ...(known?.retryAfter !== undefined && { retryAfter: Math.round(known.retryAfter) }),
    ...(reply.emitted() > 0 && { partial: reply.size() }),
  }
}
