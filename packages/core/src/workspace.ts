// Port: files and processes, wherever they are. Paths are absolute; nothing here judges.

export interface FileStat {
  readonly type: 'file' | 'folder' | 'other'
  readonly size: number
  /** Milliseconds UTC, whole. */
  readonly modifiedAt: number
  /** Permission bits. */
  readonly mode: number
  /** Number of names (hard links). */
  readonly links: number
}

/** Facts about a text that only its writer knows; they go into `file.changed`. */
export interface TextFacts {
  readonly encoding: string
  readonly eol: 'lf' | 'crlf' | 'cr' | 'mixed' | 'none'
  readonly added: number
  readonly removed: number
}

export interface FileWrite {
  readonly bytes: Uint8Array
  /** The content that the write was decided on: `null` = the file must not exist. Else `file_stale`. */
  readonly expect: Uint8Array | null
  readonly facts: TextFacts
}

export interface SpawnRequest {
  /** Program and arguments; no shell in between. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** Added to the workspace's own environment; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Bytes for standard input, then end of file. Absent: empty. */
  readonly stdin?: Uint8Array
  /** True joins both streams in their true order through one pipe; else stderr comes apart. */
  readonly joined: boolean
}

export interface Process {
  readonly pid: number
  /** Output as it comes. Not reading it holds the process back; ends when the pipes close or `drain` ms after exit. */
  readonly output: AsyncIterable<{ readonly stream: 'out' | 'err'; readonly chunk: Uint8Array }>
  /** Resolves once, at exit: the code, or the signal's name. Never rejects. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** INT 2 s, TERM 3 s, KILL, to the whole group and then to every process that carries its mark. Resolves when they are gone. */
  kill(): Promise<void>
  /** Ends what the process left behind in its group or under its mark after it exited. Resolves to the pids that were ended. */
  sweep(): Promise<readonly number[]>
}

export interface Workspace {
  /** Absolute real path of the session's folder. */
  readonly root: string
  readonly platform: string
  /** Real path of the deepest existing ancestor joined with what is missing: links are resolved, `..` is gone. */
  realPath(path: string): Promise<string>
  /** Follows links. `null` when nothing is there. */
  stat(path: string): Promise<FileStat | null>
  /** @throws TenonError `file_missing`, `not_a_file` */
  read(path: string, range?: { readonly offset: number; readonly length: number }): Promise<Uint8Array>
  /** Names in a folder, sorted. @throws TenonError `file_missing`, `not_a_folder` */
  list(path: string): Promise<readonly { readonly name: string; readonly type: FileStat['type'] | 'link' }[]>
  /**
   * Atomic replacement beside the target: temp, sync, mode, compare with `expect`, rename, sync of the folder. A link stays
   * and its real target is replaced; a file with several names is written in place. Missing folders are made.
   * @throws TenonError `file_stale`, `read_only`, `disk_full`, `not_a_file`
   */
  write(path: string, write: FileWrite): Promise<void>
  /** Starts a program in a session and group of its own. @throws TenonError `spawn_failed` */
  spawn(request: SpawnRequest): Promise<Process>
}
