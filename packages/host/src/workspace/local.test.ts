import { chmod, link, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaceContract } from '@tenon/testkit'
import { describe, test } from 'vitest'
import { createLocalWorkspace } from './local.ts'

workspaceContract(
  'the local workspace',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'tenon-ws-'))
    return {
      workspace: createLocalWorkspace(root),
      links: { symbolic: symlink, hard: link },
      chmod,
      dispose: () => rm(root, { recursive: true, force: true }),
    }
  },
  { describe, test },
)
