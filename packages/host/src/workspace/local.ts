// The Workspace port on this machine's own files and processes.
import { realpathSync } from 'node:fs'
import type { Workspace } from '@tenon/core'
import { listFolder, readBytes, statPath } from './files.ts'
import { resolveReal } from './real-path.ts'
import { type SpawnOptions, spawnLocal } from './spawn.ts'
import { replaceFile } from './write.ts'

/**
 * Files and processes below `root` (and anywhere else: nothing here judges).
 * @throws when `root` is not there
 */
export function createLocalWorkspace(root: string, options: SpawnOptions = {}): Workspace {
  return {
    root: realpathSync.native(root),
    platform: process.platform,
    realPath: resolveReal,
    stat: statPath,
    read: readBytes,
    list: listFolder,
    write: replaceFile,
    spawn: (request) => spawnLocal(request, options),
  }
}
