// For tests: a disk over the real files whose every call waits for its process's turn, and whose writes may tear.
import type { AppendFile, Disk } from '../disk/disk.ts'

/** As testkit's LogProcess: each call passes through it. */
export interface Steps {
  call<T>(name: string, act: () => Promise<T>): Promise<T>
  random(): number
}

export interface SteppingOptions {
  /** How often a write or a sync fails with EIO, after any part of it was done. */
  readonly faults: number
  /** Gets every real file that was opened, so that a test can close those of dead processes. */
  readonly opened: (file: AppendFile) => void
}

export function createSteppingDisk(disk: Disk, steps: Steps, { faults, opened }: SteppingOptions): Disk {
  const mayFail = () => {
    if (steps.random() < faults) throw Object.assign(new Error('EIO: made by the test'), { code: 'EIO' })
  }
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const wrap = (name: string, file: AppendFile): AppendFile => {
    opened(file)
    return {
      async write(bytes) {
        for (const part of tear(bytes, steps.random)) {
          await steps.call(`write ${name}`, () => file.write(part))
          mayFail()
        }
      },
      sync: async () => {
        mayFail()
        await steps.call(`sync ${name}`, () => file.sync())
        mayFail()
      },
      close: () => steps.call(`close ${name}`, () => file.close()),
    }
  }
  const step =
    <A extends unknown[], T>(call: string, act: (path: string, ...rest: A) => Promise<T>) =>
    (path: string, ...rest: A) =>
      steps.call(`${call} ${nameOf(path)}`, () => act(path, ...rest))
  return {
    list: step('list', disk.list),
    stat: step('stat', disk.stat),
    makeDir: step('makeDir', disk.makeDir),
    syncDir: step('syncDir', disk.syncDir),
    create: async (path) => wrap(nameOf(path), await step('create', disk.create)(path)),
    append: async (path) => wrap(nameOf(path), await step('append', disk.append)(path)),
    read: step('read', disk.read),
    rename: step('rename', disk.rename),
    remove: step('remove', disk.remove),
    watch: disk.watch,
    pause: () => steps.call('pause', async () => undefined),
  }
}

/** The bytes in one, two or three pieces: a process can stop between any two of them. */
function tear(bytes: Uint8Array, random: () => number): readonly Uint8Array[] {
  if (random() < 0.5) return [bytes]
  const first = Math.floor(random() * bytes.length)
  const second = first + Math.floor(random() * (bytes.length - first))
  return [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)].filter(
    ({ length }) => length > 0,
  )
}
