// How a process reaches a session: it owns it, or it is a client of the process that does. Never a silent wait.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientSession } from '@tenon/client'
import { fromSocketUrl, probeSocket, socketFetch } from '@tenon/host'
import { type SessionId, TenonError } from '@tenon/protocol'
import type { Home } from '../compose.ts'

export interface Link {
  readonly session: ClientSession
  /** True when this process owns the session. */
  readonly here: boolean
}

/** How long an owner may be silent, and how long one that is starting or leaving is waited for (ms). */
const silenceMs = 1_900
const changingMs = 2_000
const againMs = 50

/**
 * Owns the session, or attaches to its living owner.
 * @throws TenonError `session_in_use` (holder, age, choices) when the owner does not answer, and what opening can throw
 */
export async function link(home: Home, id: SessionId): Promise<Link> {
  let start = performance.now()
  let holder: unknown
  for (; ; await sleep(againMs)) {
    try {
      await home.registry.get(id)
      return { session: home.client.session(id), here: true }
    } catch (error) {
      if (!(error instanceof TenonError) || error.code !== 'session_in_use') throw error
      // Another holder than before has just come, or is just leaving: it gets its own time.
      if (error.facts.pid !== holder) start = performance.now()
      holder = error.facts.pid
      const path = typeof error.facts.url === 'string' ? fromSocketUrl(error.facts.url) : undefined
      const presence = path === undefined ? 'absent' : await probeSocket(path, silenceMs)
      if (path !== undefined && presence === 'answers') {
        const client = new Client({ fetch: socketFetch(path), kind: home.kind, patienceMs: 0 })
        return { session: client.session(id), here: false }
      }
      if (presence === 'silent' || performance.now() - start > changingMs) throw held(id, error.facts)
    }
  }
}

function held(id: SessionId, facts: TenonError['facts']): TenonError {
  const { pid, host, renewedAt } = facts
  const age = typeof renewedAt === 'number' ? Math.max(0, Math.round((Date.now() - renewedAt) / 1000)) : undefined
  const seen = age === undefined ? '' : `, last sign of life ${age} s ago`
  return new TenonError(
    {
      code: 'session_in_use',
      message: `The session ${id} is held by process ${pid ?? '?'} on ${host ?? 'this machine'}${seen}; it does not answer.`,
      action: `Let that process go on or end it, or take the session with --take-over: tenon -r ${id} --take-over -p "…"`,
      retryable: true,
    },
    facts,
  )
}

/** Whether the owner behind a link has gone away, so that the session can be reached anew. */
export const isGone = (error: unknown): boolean =>
  error instanceof TenonError && (error.code === 'unreachable' || error.code === 'closed' || error.code === 'gone')

/** Owners that may leave one after the other while something is asked of them: some 5 s in all. */
const ownerTries = 14

/** Does it again while owners go away under it: one that is leaving still answers for a moment. */
export async function whileOwnersLeave<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isGone(error) || tries >= ownerTries) throw error
      await sleep(Math.min(500, 20 * 2 ** tries))
    }
  }
}
