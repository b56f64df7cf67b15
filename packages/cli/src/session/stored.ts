// A stored session as the inspecting commands look at it: read from its log, without lease and without owner.

import type { LogContents } from '@tenon/core'
import { createPlaces, createSessionStore, type SessionStore, type StoredSession } from '@tenon/host'
import type { Event } from '@tenon/protocol'

export interface Loaded {
  readonly stored: StoredSession
  readonly contents: LogContents
  readonly events: readonly Event[]
}

export const openStore = (): SessionStore => createSessionStore({ data: createPlaces().data })

export async function load(text: string, store: SessionStore = openStore()): Promise<Loaded> {
  const stored = await store.find(text)
  const contents = await stored.log.read()
  return { stored, contents, events: contents.groups.flat() }
}

/** Whether a living process owns the session. */
export const isOwned = async ({ log }: StoredSession): Promise<boolean> => (await log.owner())?.alive ?? false

export const say = (text: string): void => void process.stdout.write(`${text}\n`)
export const sayJson = (value: unknown): void => say(JSON.stringify(value))
