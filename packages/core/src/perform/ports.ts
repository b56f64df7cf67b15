// What perform is given: every port it may touch.
import type { Draft, Hash, Live } from '@tenon/protocol'
import type { Blobs } from '../blobs.ts'
import type { Bodies } from '../bodies.ts'
import type { Clock } from '../clock.ts'
import type { Models } from '../model.ts'
import type { ContextSource } from '../prompt/context-source.ts'
import type { Tool } from '../tool.ts'
import type { Workspace } from '../workspace.ts'

export interface PerformPorts {
  readonly models: Models
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly blobs: Blobs
  readonly bodies: Bodies
  readonly context: ContextSource
  readonly clock: Clock
  readonly hash: Hash
  readonly ids: () => string
  readonly host: { readonly home: string }
  readonly emit: (fragment: Live) => void
  /** Facts of a tool that go on after its call was closed. */
  readonly late: (drafts: readonly Draft[]) => void
}
