// A file system in memory: what `storage.sync: memory` writes to. Nothing outlives the process.
import type { AppendFile, Disk } from './disk.ts'
import { nodeDisk } from './node-disk.ts'

interface MemoryFile {
  chunks: Uint8Array[]
  size: number
  mtimeMs: number
}

export function createMemoryDisk(now: () => number = Date.now): Disk {
  const files = new Map<string, MemoryFile>()
  const dirs = new Set<string>()
  const inside = (dir: string) => (path: string) => path.startsWith(`${dir}/`)

  function open(file: MemoryFile): AppendFile {
    return {
      async write(bytes) {
        file.chunks.push(Uint8Array.from(bytes))
        file.size += bytes.length
        file.mtimeMs = now()
      },
      sync: async () => undefined,
      close: async () => undefined,
    }
  }

  return {
    async list(dir) {
      const under = [...files.keys(), ...dirs].filter(inside(dir))
      return [...new Set(under.map((path) => path.slice(dir.length + 1).split('/')[0] ?? ''))]
    },
    async stat(path) {
      const file = files.get(path)
      if (file) return { size: file.size, mtimeMs: file.mtimeMs, isDir: false }
      const isDir = dirs.has(path) || [...files.keys(), ...dirs].some(inside(path))
      return isDir ? { size: 0, mtimeMs: 0, isDir } : undefined
    },
    async makeDir(dir) {
      dirs.add(dir)
    },
    syncDir: async () => undefined,
    async create(path) {
      if (files.has(path)) throw systemError('EEXIST', path)
      const file = { chunks: [], size: 0, mtimeMs: now() }
      files.set(path, file)
      return open(file)
    },
    append: async (path) => open(fileAt(files, path)),
    async read(path, offset, length) {
      const file = fileAt(files, path)
      if (file.chunks.length > 1) file.chunks = [Buffer.concat(file.chunks)]
      return Buffer.from(file.chunks[0]?.subarray(offset, offset + length) ?? [])
    },
    async rename(from, to) {
      files.set(to, fileAt(files, from))
      files.delete(from)
    },
    async remove(path) {
      for (const name of [...files.keys()].filter(inside(path))) files.delete(name)
      for (const name of [...dirs].filter(inside(path))) dirs.delete(name)
      files.delete(path)
      dirs.delete(path)
    },
    watch: () => () => undefined,
    pause: nodeDisk.pause,
  }
}

function fileAt(files: ReadonlyMap<string, MemoryFile>, path: string): MemoryFile {
  const file = files.get(path)
  if (!file) throw systemError('ENOENT', path)
  return file
}

const systemError = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code })
