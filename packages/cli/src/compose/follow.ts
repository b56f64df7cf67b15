// The stream of one session whoever owns it: when the owner goes away the session is reached anew and read on from the cursor.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Event, type Live, type SessionId, TenonError } from '@tenon/protocol'
import type { Home } from '../compose.ts'
import { isGone, type Link, link } from './link.ts'

/** An owner that is leaving is asked again after this long (ms). */
const leavingMs = 50

export type Followed =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'live'; readonly fragment: Live }
  /** The session was reached anew. */
  | { readonly type: 'linked'; readonly link: Link }

export interface FollowOptions {
  readonly first: Link
  /** Events with a higher seq. */
  readonly after: number
  readonly live: boolean
  readonly signal: AbortSignal
}

/**
 * Until the signal aborts.
 * @throws TenonError `lease_lost` when another process took the session from this one, and what `link` throws
 */
export async function* follow(home: Home, id: SessionId, options: FollowOptions): AsyncGenerator<Followed, void> {
  const { live, signal } = options
  let { first: current, after } = options
  while (!signal.aborted) {
    const stream = untilGone(current, current.session.stream({ after, live, signal }))
    for await (const item of stream) {
      if (item.t === 'events') {
        for (const event of item.events) yield { type: 'event', event }
        after = Math.max(after, item.last)
      } else if (item.t === 'live' || (item.t === 'snapshot' && current === options.first))
        yield { type: 'live', fragment: item.fragment }
      else if (item.t === 'error') {
        if (!current.here && item.code === 'closed') break
        throw broken(item.code, item.detail, current)
      } else if (item.t === 'bye' || item.t === 'retrying') break
    }
    if (signal.aborted) return
    current = await link(home, id)
    yield { type: 'linked', link: current }
  }
}

/** The stream of another process ends where that process does; that is no error but a reason to look for the next owner. */
async function* untilGone<T>({ here }: Link, stream: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* stream
  } catch (error) {
    if (here || !isGone(error)) throw error
    await sleep(leavingMs)
  }
}

/** What ended the session at its owner; for a client of another process only `lease_lost` is no reason to give up. */
function broken(code: string, detail: string, { here }: Link): TenonError {
  const known =
    code === 'lease_lost' || code === 'storage_full' || code === 'storage_readonly' || code === 'log_damaged'
      ? code
      : undefined
  return new TenonError({
    code: known ?? (here ? 'internal' : 'unreachable'),
    message: detail,
    action:
      known === 'lease_lost'
        ? 'The session goes on at its new owner: attach with `tenon -r ID`.'
        : 'Go on with `tenon -c`.',
    retryable: true,
  })
}
