// What lists show of a session that is owned here: written when a run ends, otherwise at most every two seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '@tenon/core'
import { isResting } from '@tenon/projections'
import type { SessionSummary } from '@tenon/protocol'
import { toSummary } from '@tenon/server'

const pauseMs = 2_000

/** Until the session closes; the last summary tells of its last event. A summary that cannot be written is only missing. */
export async function keepSummary(session: Session, write: (summary: SessionSummary) => Promise<void>): Promise<void> {
  const never = new AbortController().signal
  let written = -1
  let writtenAt = 0
  for (;;) {
    await session.changed(written, never)
    const seq = session.durable()
    // Woken without news: the session is closed.
    if (seq === written) return
    const early = writtenAt + pauseMs - Date.now()
    if (!isResting(session.state()) && early > 0) await restOr(session, early)
    written = session.durable()
    writtenAt = Date.now()
    await write({ ...toSummary(session.id, session.state(), true), updatedAt: writtenAt }).catch(() => undefined)
  }
}

async function restOr(session: Session, ms: number): Promise<void> {
  const stop = new AbortController()
  await Promise.race([sleep(ms, undefined, { ref: false }), session.rest(stop.signal).catch(() => undefined)])
  stop.abort()
}
