// The Workspace port in memory: files in a map, processes from a scripted table. Deterministic: no clock, no real process.
import type { FileStat, Process, SpawnRequest, Workspace } from '@tenon/core'
import { TenonError } from '@tenon/protocol'
import { type ScriptedCommand, scriptedProcess } from './scripted-process.ts'

export interface MemoryWorkspaceOptions {
  /** Absolute; default `/work`. */
  readonly root?: string
  /** Path (relative to root, or absolute) → text. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly commands?: readonly ScriptedCommand[]
}

export interface MemoryWorkspace extends Workspace {
  /** Absolute path → content. Tests read it, and change it as "someone else" would. */
  readonly files: Map<string, Uint8Array>
  /** What was started, in order. */
  readonly spawned: readonly SpawnRequest[]
  text(path: string): string
  put(path: string, content: string | Uint8Array): void
}

type Files = Map<string, Uint8Array>

export function createMemoryWorkspace({
  root = '/work',
  files = {},
  commands = [],
}: MemoryWorkspaceOptions = {}): MemoryWorkspace {
  const content: Files = new Map()
  const spawned: SpawnRequest[] = []
  const absolute = (path: string): string => collapse(path.startsWith('/') ? path : `${root}/${path}`)
  const put = (path: string, value: string | Uint8Array): void => {
    content.set(absolute(path), typeof value === 'string' ? new TextEncoder().encode(value) : value)
  }
  for (const [path, value] of Object.entries(files)) put(path, value)
  const isFolder = (path: string): boolean =>
    path === root || path === '/' || [...content.keys()].some((key) => key.startsWith(`${path}/`))
  return {
    root,
    platform: 'linux',
    files: content,
    spawned,
    put,
    text: (path) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(content.get(absolute(path)) ?? raise('file_missing', path)),
    realPath: async (path) => absolute(path),
    stat: async (path) => statOf(content.get(absolute(path)), isFolder(absolute(path))),
    read: async (path, range) => {
      const bytes = content.get(absolute(path)) ?? raise(isFolder(absolute(path)) ? 'not_a_file' : 'file_missing', path)
      return range ? bytes.subarray(range.offset, range.offset + range.length) : bytes
    },
    list: async (path) => {
      if (content.has(absolute(path))) raise('not_a_folder', path)
      if (!isFolder(absolute(path))) raise('file_missing', path)
      return listOf(content, absolute(path))
    },
    write: async (path, { bytes, expect }) => {
      const target = absolute(path)
      if (isFolder(target)) raise('not_a_file', path)
      if (!same(content.get(target) ?? null, expect)) raise('file_stale', path)
      content.set(target, Uint8Array.from(bytes))
    },
    spawn: async (request): Promise<Process> => {
      spawned.push(request)
      return scriptedProcess(request, commands, { put, read: (path) => content.get(absolute(path)) }, spawned.length)
    },
  }
}

function collapse(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function statOf(bytes: Uint8Array | undefined, folder: boolean): FileStat | null {
  if (!bytes && !folder) return null
  return {
    type: bytes ? 'file' : 'folder',
    size: bytes?.length ?? 0,
    modifiedAt: 0,
    mode: bytes ? 0o644 : 0o755,
    links: 1,
  }
}

function listOf(content: Files, folder: string): readonly { readonly name: string; readonly type: FileStat['type'] }[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  const entries = new Map<string, FileStat['type']>()
  for (const path of content.keys()) {
    if (!path.startsWith(prefix)) continue
    const [name = '', ...rest] = path.slice(prefix.length).split('/')
    entries.set(name, rest.length ? 'folder' : 'file')
  }
  return [...entries].map(([name, type]) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

const same = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : a.length === b.length && a.every((byte, i) => byte === b[i])

function raise(code: 'file_missing' | 'not_a_file' | 'not_a_folder' | 'file_stale', path: string): never {
  throw new TenonError({ code, message: `${path}: ${code}`, action: 'Check the path.' }, { path })
}
