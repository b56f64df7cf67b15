// open: the only command that an empty log accepts.
import type { RunState } from '@tenon/projections'
import { type CommandOf, type Draft, defaultSettings, type Json, type SessionId, settingIssue } from '@tenon/protocol'
import { accept, type Decision, refuse } from './decision.ts'

export interface HostFacts {
  readonly session: SessionId
  readonly build: string
  readonly os: string
  readonly version: string
}

export function decideOpen(state: RunState, command: CommandOf<'open'>, host: HostFacts): Decision {
  if (state.session) {
    if (command.session === state.session.id && command.cwd === state.session.cwd) return accept()
    return refuse(
      'id_taken',
      `The session ${state.session.id} is open already.`,
      'Leave out `session` to get a new one.',
    )
  }
  const set = settingsOf(command)
  for (const [key, value] of Object.entries(set)) {
    const issue = settingIssue(key, value)
    if (issue) return refuse('bad_setting', issue, 'See docs/settings.md for the keys and their types.', { key })
  }
  const opened: Draft = {
    type: 'session.opened',
    by: 'person',
    session: host.session,
    cwd: command.cwd,
    project: command.project ?? command.cwd,
    ...(command.title !== undefined && { title: command.title }),
    agent: command.agent ?? defaultSettings.agent,
    model: command.model ?? defaultSettings.model,
    mode: command.mode ?? defaultSettings.mode,
    tags: command.tags ?? {},
    host: { os: host.os, version: host.version },
  }
  return accept(opened, {
    type: 'session.configured',
    by: 'person',
    set: { ...set, build: host.build },
    was: {},
    source: 'flag',
  })
}

function settingsOf(command: CommandOf<'open'>): Record<string, Json> {
  const limits = Object.entries(command.limits ?? {}).map(([name, value]) => [`limits.${name}`, value ?? null])
  return { ...command.config, ...Object.fromEntries(limits) }
}
