// The ports of one session, from what this process was composed with.
import { homedir } from 'node:os'
import { type Models, type SessionPorts, stableBlocks, type Tool, toolSchemas } from '@tenon/core'
import { createContextSource, createLocalWorkspace, type StoredSession, sha256, systemClock } from '@tenon/host'
import type { RunState } from '@tenon/projections'
import { canonicalJson, TenonError } from '@tenon/protocol'
import { coreTools } from '@tenon/tools'
import { version } from '../version.ts'

export interface Make {
  readonly models: Models
  /** Folder of the user's own instructions. */
  readonly config: string
  readonly build: string
  readonly onAsk: SessionPorts['onAsk']
  readonly cwd: string | undefined
}

/** Fingerprint of what the model is shown by this build: a session of another build gets its context set anew. */
export const buildOf = (tools: readonly Tool[]): string =>
  sha256(canonicalJson({ version, tools: toolSchemas(tools), blocks: stableBlocks })).slice(0, 16)

/** @param cwd of a session that is being opened; else the log says it. @throws TenonError `not_a_folder` */
export function makePorts(make: Make, stored: StoredSession, state: RunState, cwd?: string): SessionPorts {
  // An empty log says nothing: then this process's own folder serves.
  const folder = make.cwd ?? cwd ?? state.session?.cwd ?? process.cwd()
  return {
    log: stored.log,
    blobs: stored.blobs,
    models: make.models,
    tools: coreTools,
    workspace: makeWorkspace(folder, stored.id),
    context: createContextSource({ config: make.config }),
    clock: systemClock,
    hash: sha256,
    host: { os: process.platform, version, home: homedir() },
    build: make.build,
    onAsk: make.onAsk,
    folded: state,
  }
}

/** Commands carry the session's name, so that a later owner finds what a dead one left running. */
function makeWorkspace(folder: string, session: string) {
  try {
    const marks = [process.env.TENON_JOB, session].filter(Boolean).join(':')
    return createLocalWorkspace(folder, { env: { ...process.env, TENON_JOB: marks } })
  } catch (error) {
    throw new TenonError(
      {
        code: 'not_a_folder',
        message: `The session's folder ${folder} is not there.`,
        action: 'Give the folder to work in with --cwd.',
        cause: String(error),
      },
      { folder },
    )
  }
}
