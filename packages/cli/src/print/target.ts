// The session of a headless run: a new one, or one to go on with; then its settings as the flags say.
import { findRoot } from '@tenon/host'
import { defaultSettings, type Json, type RunView, type SessionId } from '@tenon/protocol'
import { usage } from '../args/parse.ts'
import { type Link, link, whileOwnersLeave } from '../compose/link.ts'
import type { Home } from '../compose.ts'
import type { PrintOptions } from './options.ts'

/** The longest run that nobody watches, in replies. */
const turnsLimit = 500

export interface Target extends Link {
  readonly id: SessionId
  readonly state: RunView
  /** Events of this run have a higher seq. */
  readonly after: number
}

export async function findTarget(home: Home, options: PrintOptions): Promise<Target> {
  const { resume } = options
  if (options.model !== undefined || !resume) await home.models.resolve(home.settings.model)
  if (!resume) return openTarget(home, options)
  const project = await projectOf(options.cwd)
  const { id } = await home.store.find(resume.text, resume.inProject ? { project } : {})
  return whileOwnersLeave(() => resumeTarget(home, options, id))
}

async function resumeTarget(home: Home, options: PrintOptions, id: SessionId): Promise<Target> {
  const linked = await link(home, id)
  const before = await linked.session.state()
  const set = settingsOf(home, options, before.settings, linked.here)
  const state =
    Object.keys(set).length === 0 ? before : await linked.session.configure(set).then(() => linked.session.state())
  return { ...linked, id, state, after: state.seq }
}

async function openTarget(home: Home, options: PrintOptions): Promise<Target> {
  const { cwd, sessionId, title, mode, allow, deny, limits } = options
  const { session, reply } = await home.client.sessions.open({
    cwd,
    project: await projectOf(cwd),
    model: home.settings.model,
    limits: { turns: turnsLimit, ...limits },
    config: {
      ...(allow.length > 0 && { 'permissions.allow': allow }),
      ...(deny.length > 0 && { 'permissions.deny': deny }),
    },
    ...(sessionId && { session: sessionId }),
    ...(title !== undefined && { title }),
    ...(mode && { mode }),
  })
  if (reply.seq === null || reply.seq[0] !== 0)
    throw usage(`There is a session ${session.id} already.`, `Go on with it: tenon -r ${session.id} -p "…"`)
  return { id: session.id, session, here: true, state: await session.state(), after: -1 }
}

/** The git root at or above the folder, else the folder itself. */
const projectOf = async (cwd: string): Promise<string> => (await findRoot(cwd)) ?? cwd

/** Settings that the flags change; of another process's session only what was asked for. */
function settingsOf(
  home: Home,
  options: PrintOptions,
  current: RunView['settings'],
  here: boolean,
): Record<string, Json> {
  const { limits, title, mode, allow, deny, model } = options
  const turns =
    limits.turns ?? (here && current['limits.turns'] === defaultSettings['limits.turns'] ? turnsLimit : undefined)
  return {
    ...(model !== undefined && { model: home.settings.model }),
    ...(title !== undefined && { title }),
    ...(mode && { mode }),
    ...(allow.length > 0 && { 'permissions.allow': merge(current['permissions.allow'], allow) }),
    ...(deny.length > 0 && { 'permissions.deny': merge(current['permissions.deny'], deny) }),
    ...(turns !== undefined && { 'limits.turns': turns }),
    ...(limits.usd !== undefined && { 'limits.usd': limits.usd }),
    ...(limits.tokens !== undefined && { 'limits.tokens': limits.tokens }),
    ...(limits.minutes !== undefined && { 'limits.minutes': limits.minutes }),
  }
}

const merge = (before: Json | undefined, added: readonly string[]): Json => [
  ...new Set([...(Array.isArray(before) ? before : []), ...added]),
]
