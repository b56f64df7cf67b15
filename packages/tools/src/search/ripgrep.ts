// Runs ripgrep through the workspace: the binary that ships with us, else the system's. Bounded in time and records.
import type { Process, ToolWorkspace } from '@tenon/core'
import { TenonError } from '@tenon/protocol'

export interface Search {
  readonly args: readonly string[]
  /** Byte that ends a record: LF (10) or NUL (0). */
  readonly separator: number
  readonly timeoutMs: number
  /** Takes a record; `false` ends the search. */
  readonly take: (record: string) => boolean
  readonly stdin?: Uint8Array
}

export interface Searched {
  readonly code: number | null
  readonly stderr: string
  /** Why it ended early. */
  readonly stopped: 'time' | 'records' | undefined
}

/** Characters of stderr that are kept. */
const stderrLimit = 4096

/** @throws TenonError `spawn_failed` when neither binary starts */
export async function runRipgrep(workspace: ToolWorkspace, search: Search, signal: AbortSignal): Promise<Searched> {
  signal.throwIfAborted()
  const process = await start(workspace, search)
  let stopped: Searched['stopped']
  let killing: Promise<void> | undefined
  const kill = (): void => {
    killing ??= process.kill()
  }
  const timer = setTimeout(() => {
    stopped = 'time'
    kill()
  }, search.timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  try {
    const records = new Records(search.separator, search.take)
    let stderr = ''
    for await (const { stream, chunk } of process.output) {
      if (stream === 'err') stderr = (stderr + Buffer.from(chunk).toString()).slice(0, stderrLimit)
      else if (!records.push(chunk)) {
        stopped = 'records'
        break
      }
    }
    if (stopped === 'records') kill()
    else if (stopped === undefined) records.end()
    const { code } = await process.exit
    await killing
    signal.throwIfAborted()
    return { code, stderr, stopped }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
    await killing
  }
}

async function start(workspace: ToolWorkspace, { args, stdin }: Search): Promise<Process> {
  const request = (program: string) => ({
    argv: [program, ...args] as [string, ...string[]],
    cwd: workspace.root,
    env: { RIPGREP_CONFIG_PATH: undefined },
    joined: false,
    ...(stdin && { stdin }),
  })
  const shipped = await shippedPath()
  if (shipped) {
    try {
      return await workspace.spawn(request(shipped))
    } catch (error) {
      // The workspace may be another machine: there the system's own may be found.
      if (!(error instanceof TenonError) || error.code !== 'spawn_failed') throw error
    }
  }
  return workspace.spawn(request('rg'))
}

/** Loaded when first searched: start-up does not need it. */
async function shippedPath(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch {
    return undefined
  }
}

/** Splits bytes at a separator without holding more than one record. */
class Records {
  private rest: Buffer = Buffer.alloc(0)
  private readonly separator: number
  private readonly take: (record: string) => boolean

  constructor(separator: number, take: (record: string) => boolean) {
    this.separator = separator
    this.take = take
  }

  push(chunk: Uint8Array): boolean {
    const bytes = this.rest.length ? Buffer.concat([this.rest, chunk]) : Buffer.from(chunk)
    let from = 0
    for (let at = bytes.indexOf(this.separator); at >= 0; at = bytes.indexOf(this.separator, from)) {
      if (!this.take(bytes.subarray(from, at).toString())) return false
      from = at + 1
    }
    this.rest = bytes.subarray(from)
    return true
  }

  end(): void {
    if (this.rest.length) this.take(this.rest.toString())
  }
}
