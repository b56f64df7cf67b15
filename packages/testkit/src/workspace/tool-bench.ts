// Runs single tools on a workspace as the engine would: input normalised, output kept, seen files remembered.
import { createHash } from 'node:crypto'
import { normaliseInput, type Tool, type ToolResult, type Workspace } from '@tenon/core'
import type { Json } from '@tenon/protocol'

export interface ToolBench {
  /** Runs a tool of kind `run`. @throws Error when the input is not valid, with the text for the model */
  run(tool: Tool, input: Json, signal?: AbortSignal): Promise<ToolResult>
  /** Real path → SHA-256 of what was seen last. */
  readonly seen: Map<string, string>
  /** Which real paths a deny rule keeps from the model, from now on. */
  hide(hidden: (path: string) => boolean): void
  /** SHA-256 → raw output and written content; readable as `blob:<sha256>`. */
  readonly blobs: Map<string, Uint8Array>
}

export function createToolBench(workspace: Workspace): ToolBench {
  const seen = new Map<string, string>()
  const blobs = new Map<string, Uint8Array>()
  let hidden = (_path: string) => false
  const keep = (bytes: Uint8Array): string => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    blobs.set(sha256, bytes)
    return sha256
  }
  const granted: Workspace = {
    ...workspace,
    read: async (path, range) => {
      const bytes = path.startsWith('blob:') ? blobs.get(path.slice(5)) : undefined
      if (!bytes) return workspace.read(path, range)
      return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes
    },
    write: async (path, write) => {
      await workspace.write(path, write)
      keep(write.bytes)
    },
  }
  return {
    seen,
    blobs,
    hide: (which) => {
      hidden = which
    },
    run: async (tool, input, signal = new AbortController().signal) => {
      const normal = normaliseInput(tool, input, { cwd: workspace.root, home: '/home/nobody' })
      if ('issues' in normal) throw new Error(normal.issues)
      if (tool.kind !== 'run') throw new Error(`${tool.name} does not run.`)
      const result = await tool.run(normal.input, {
        signal,
        workspace: { ...granted, seen: (path) => seen.get(path), hidden },
        output: createOutput(keep),
      })
      for (const { path, sha256 } of result.seen ?? []) seen.set(path, sha256)
      return result
    },
  }
}

/** Bytes of one output that are kept. */
const keptBytes = 8 << 20

function createOutput(keep: (bytes: Uint8Array) => string) {
  const chunks: Uint8Array[] = []
  let total = 0
  return {
    write: async (chunk: Uint8Array) => {
      if (total < keptBytes) chunks.push(Uint8Array.from(chunk))
      total += chunk.length
    },
    progress: () => undefined,
    finish: async () => {
      const bytes = Buffer.concat(chunks)
      return { total, blob: total ? { sha256: keep(bytes), bytes: bytes.length, mime: 'text/plain' } : null }
    },
  }
}

/** What the model reads of a result: texts and errors. */
export const resultText = (result: ToolResult): string =>
  result.content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'error'
          ? `${part.code}: ${part.message} ${part.next}`
          : part.type,
    )
    .join('\n')
