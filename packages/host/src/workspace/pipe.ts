// A named pipe whose name lives for a moment. Node's own pipes are socket pairs: `echo x > /dev/stderr` fails on them.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface OutputPipe {
  /** As /proc/<pid>/fd shows it to whoever holds it. */
  readonly name: string
  readonly source: Readable
  /** For the child; closed here once it is spawned. */
  readonly writer: number
}

/** `undefined` where named pipes cannot be made: then Node's own pipes serve. */
export async function openPipe(scratch: string): Promise<OutputPipe | undefined> {
  const name = join(scratch, `tenon-out-${randomBytes(9).toString('hex')}`)
  try {
    await run('mkfifo', ['-m', '600', name])
  } catch {
    return undefined
  }
  const reader = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const writer = openSync(name, constants.O_WRONLY)
    return { name, writer, source: new Socket({ fd: reader, readable: true, writable: false }) }
  } catch (error) {
    closeSync(reader)
    throw error
  } finally {
    unlinkSync(name)
  }
}
