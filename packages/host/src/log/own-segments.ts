// The segments that one lease has created: its fence. Whoever creates a higher one has taken the session over.
import { join } from 'node:path'
import type { SessionId } from '@tenon/protocol'
import type { AppendFile, Disk } from './disk/disk.ts'
import { isFull, toStorageError } from './disk/storage-error.ts'
import type { DurableFile, DurableOptions } from './durable-file.ts'
import { createDurableFile } from './durable-file.ts'
import { encodeHeader, segmentName } from './segment.ts'

export interface OwnSegments {
  /** Highest number this lease created: what the next owner must exceed. */
  number(): number
  /** Creates segment `number` exclusively, still without a header. @throws EEXIST when it belongs to somebody else */
  create(number: number): Promise<void>
  /** Writes the header into the newest one: from now on it is part of the chain. @throws TenonError `storage_…`, EEXIST */
  begin(from: number, after: number): Promise<DurableFile>
  /** Creates and begins the next one, behind the newest that has a header. */
  rollOver(from: number): Promise<DurableFile>
  isOvertaken(): Promise<boolean>
}

export function createOwnSegments(disk: Disk, dir: string, session: SessionId, options: DurableOptions): OwnSegments {
  let number = 0
  let headered = 0
  let created: AppendFile | undefined
  const pathOf = (at: number) => join(dir, segmentName(at))

  async function create(next: number): Promise<void> {
    for (;;) {
      try {
        created = await disk.create(pathOf(next))
        number = next
        return
      } catch (error) {
        if (!isFull(error) || !(await options.freeSpace())) throw error
      }
    }
  }

  async function writeHeader(file: AppendFile, from: number, after: number): Promise<DurableFile> {
    const path = pathOf(number)
    const header = encodeHeader({ tenon: 'log', v: 1, session, token: number, from, after })
    try {
      await file.write(header)
      if (options.sync) await file.sync()
      if (options.sync) await disk.syncDir(dir)
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
    headered = number
    return createDurableFile(disk, path, file, header.length, options)
  }

  async function begin(from: number, after: number): Promise<DurableFile> {
    for (;;) {
      const file = created
      created = undefined
      if (!file) throw new Error('a segment is begun before it is created')
      try {
        return await writeHeader(file, from, after)
      } catch (error) {
        // Half a header is no header, and nobody may complete it: leave that segment void and use the next one.
        if (!isFull(error) || !(await options.freeSpace())) throw toStorageError(error, pathOf(number), 0)
        await create(number + 1)
      }
    }
  }

  return {
    number: () => number,
    create,
    begin,
    async rollOver(from) {
      await create(number + 1)
      return begin(from, headered)
    },
    isOvertaken: async () => (await disk.stat(pathOf(number + 1))) !== undefined,
  }
}
