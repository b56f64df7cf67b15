// For tests: owners killed at random instants, one after another, on one log.
import { setTimeout as wait } from 'node:timers/promises'
import type { Group } from '@tenon/core'
import { expect } from 'vitest'
import { startAppender } from './appender-process.ts'
import type { FileWorld } from './file-world.ts'
import { createFileWorld } from './file-world.ts'

export interface Kills {
  readonly times: number
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** What the appender of that name appends. */
  readonly group: (seq: number, count: number, writer: string) => Group
}

/** After each kill: every acknowledged event is read, once, in order. */
export async function killOwners({ times, random, group }: Kills): Promise<void> {
  const world = await createFileWorld()
  const promised = new Map<number, string>()
  try {
    for (let owner = 0; owner < times; owner++) {
      const appender = startAppender(`${world.dir}/session`, `k${owner}x`)
      await appender.printed('own')
      await wait(random() * 60)
      appender.signal('SIGKILL')
      await appender.ended()
      for (const [seq, count] of appender.acknowledged())
        for (const event of group(seq, count, `k${owner}x`)) promised.set(event.seq, event.id)
      await expectKept(world, promised)
    }
    expect(promised.size).toBeGreaterThan(times)
  } finally {
    await world.dispose()
  }
}

async function expectKept(world: FileWorld, promised: Map<number, string>): Promise<void> {
  const contents = await world.open().read()
  const events = contents.groups.flat()
  expect(contents.whole).toBe(true)
  expect(events.findIndex((event, index) => event.seq !== index)).toBe(-1)
  const ids = new Map(events.map(({ seq, id }) => [seq, id]))
  expect([...promised].filter(([seq, id]) => ids.get(seq) !== id)).toEqual([])
  // What one reader saw, acknowledged or not, every later one must see too.
  for (const [seq, id] of ids) promised.set(seq, id)
}
