// configure: settings of the session, from the next decision on.
import type { RunState } from '@tenon/projections'
import { canonicalJson, type Json, type Settings, settingIssue } from '@tenon/protocol'
import { accept, type Decision, refuse } from './decision.ts'

export function decideConfigure(
  state: RunState,
  set: Readonly<Record<string, Json>>,
  source: 'person' | 'flag',
): Decision {
  const current: Readonly<Record<string, Json | undefined>> = state.settings satisfies Settings
  const changes: Record<string, Json> = {}
  const was: Record<string, Json> = {}
  for (const [key, value] of Object.entries(set)) {
    const issue = key === 'build' ? 'build: set by Tenon itself' : settingIssue(key, value)
    if (issue) return refuse('bad_setting', issue, 'See docs/settings.md for the keys and their types.', { key })
    if (canonicalJson(current[key] ?? null) === canonicalJson(value)) continue
    changes[key] = value
    was[key] = current[key] ?? null
  }
  if (Object.keys(changes).length === 0) return accept()
  return accept({ type: 'session.configured', by: 'person', set: changes, was, source })
}
