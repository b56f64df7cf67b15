// Waits until a session that this process owns rests; a signal interrupts its run first.
import type { ClientSession } from '@tenon/client'
import type { RunView } from '@tenon/protocol'
import type { Stop } from '../print/stop.ts'

export async function awaitRest(session: ClientSession, stop: Stop): Promise<RunView> {
  const done = new AbortController()
  const interrupt = () => void session.interrupt().catch(() => undefined)
  stop.asked.addEventListener('abort', interrupt, { once: true })
  try {
    const { seq } = await session.state()
    // Every change may be the last one: the run projection says whether a run is open.
    for await (const item of session.stream({ after: seq, live: false, signal: done.signal })) {
      if (item.t !== 'sync' && item.t !== 'events') continue
      const state = await session.state()
      if (state.run === null) return state
    }
    return await session.state()
  } finally {
    stop.asked.removeEventListener('abort', interrupt)
    done.abort()
  }
}
