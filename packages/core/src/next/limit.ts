// Which limit of the session is reached, and how far the nearest one is.
import type { RunState } from '@tenon/projections'

export type LimitName = 'turns' | 'usd' | 'tokens' | 'minutes'

/** What each limit allows and what of it is used, in the limit's own unit; limits that are not set are left out. */
export function measure(state: RunState, now: number): { name: LimitName; used: number; limit: number }[] {
  const { settings, spent, base, run, branch } = state
  const runMs = run ? Math.max(0, now - run.startedAt - run.restedMs) : 0
  const turns = branch.turns - (base.person === branch.person ? base.turns : 0)
  const rows = [
    { name: 'turns', used: turns, limit: settings['limits.turns'] },
    { name: 'usd', used: (spent.nanoUsd - base.spent.nanoUsd) / 1e9, limit: settings['limits.usd'] },
    { name: 'tokens', used: spent.tokens - base.spent.tokens, limit: settings['limits.tokens'] },
    { name: 'minutes', used: (spent.ms - base.spent.ms + runMs) / 60_000, limit: settings['limits.minutes'] },
  ] as const
  return rows.flatMap(({ name, used, limit }) => (limit === null ? [] : [{ name, used, limit }]))
}

/** The first limit that is reached, budgets before turns. */
export function reachedLimit(state: RunState, now: number): LimitName | null {
  const rows = measure(state, now).filter(({ used, limit }) => used >= limit)
  return (rows.find(({ name }) => name !== 'turns') ?? rows[0])?.name ?? null
}
