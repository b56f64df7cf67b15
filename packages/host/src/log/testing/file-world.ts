// For tests: one session's directory as several processes see it, on memory-backed files where there are any.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@tenon/core'
import type { AppendFile } from '../disk/disk.ts'
import { nodeDisk } from '../disk/node-disk.ts'
import type { FileLogOptions } from '../file-log.ts'
import { createFileLog } from '../file-log.ts'
import type { Steps } from './stepping-disk.ts'
import { createSteppingDisk } from './stepping-disk.ts'

export interface FileWorld {
  readonly dir: string
  open(steps?: Steps): Log
  dispose(): Promise<void>
}

/** A directory of its own: real files, real syncs, but no wait for a device. */
export const makeTestDir = (): Promise<string> =>
  mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tenon-log-'))

export interface FileWorldOptions extends Partial<FileLogOptions> {
  /** How often a write or sync of a stepped process fails. */
  readonly faults?: number
}

export async function createFileWorld({ faults = 0, ...options }: FileWorldOptions = {}): Promise<FileWorld> {
  const opened = (file: AppendFile) => void files.push(file)
  const dir = await makeTestDir()
  const files: AppendFile[] = []
  return {
    dir,
    open: (steps) =>
      createFileLog({
        session: 'ses_test',
        dir: join(dir, 'session'),
        disk: steps ? createSteppingDisk(nodeDisk, steps, { faults, opened }) : nodeDisk,
        ...options,
      }),
    async dispose() {
      for (const file of files) await file.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** As an adapter for the contract suite: sizes small enough that reads are interrupted and segments roll over; faulty disks. */
export const createRandomWorld = (random: () => number): Promise<FileWorld> =>
  createFileWorld({
    chunkBytes: 64 + Math.floor(random() * 2000),
    segmentBytes: 700 + Math.floor(random() * 4000),
    faults: random() < 0.5 ? 0 : 0.03,
  })
