// A file's bytes in pieces, so that a file of any size costs one piece of memory.
import type { Workspace } from '@tenon/core'

const size = 1 << 20

/** From `offset` to the end; files that state no size (`/proc`) are read until nothing comes, at most `most` bytes. */
export async function* readChunks(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
  most = 4 * 2 ** 30,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < most; ) {
    signal.throwIfAborted()
    const chunk = await workspace.read(path, { offset, length: size })
    if (chunk.length === 0) return
    yield chunk
    offset += chunk.length
  }
}
