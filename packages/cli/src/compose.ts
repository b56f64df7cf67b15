// The one place where adapters meet: places, session store, models, tools, workspace, context and clock become a server
// in this process, and a typed client that is handed the server's function as its fetch.
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from '@tenon/client'
import type { Models, SessionPorts, Tool } from '@tenon/core'
import {
  createPlaces,
  createSessionStore,
  type Places,
  type SessionStore,
  type SyncMode,
  serveSocket,
  systemClock,
} from '@tenon/host'
import { createModels } from '@tenon/models'
import { createHandler, createRegistry, type Registry } from '@tenon/server'
import { coreTools } from '@tenon/tools'
import { usage } from './args/parse.ts'
import { buildOf, type Make } from './compose/build.ts'
import { createOwnedStore } from './compose/owned-store.ts'
import { readSettings, type Settings } from './compose/settings.ts'
import { version } from './version.ts'

export interface ComposeOptions {
  /** What an ask means with nobody attached; default `deny`. */
  readonly onAsk?: SessionPorts['onAsk']
  /** `memory`: nothing of the session reaches the disk, and no other process can attach. */
  readonly sync?: SyncMode
  /** The flag `--model`. */
  readonly model?: string | undefined
  /** Runs sessions here instead of in the folder that they were opened in. */
  readonly cwd?: string | undefined
  /** Takes sessions from a living owner. */
  readonly takeOver?: boolean
  /** Kind of front end, recorded with what it sends. */
  readonly kind?: string
  /** Told what a person should know and no event says. */
  readonly warn?: (text: string) => void
  /** Characters a second that the demo model writes; default: at once. */
  readonly demoPace?: { readonly chunk: number; readonly delayMs: number }
}

export interface Home {
  readonly places: Places
  readonly settings: Settings
  readonly store: SessionStore
  readonly models: Models
  readonly tools: readonly Tool[]
  readonly registry: Registry
  /** A client of this process's own server. */
  readonly client: Client
  readonly kind: string
  /** Lets runs of other clients come to their end unless in a hurry, gives the leases back, stops listening. */
  close(options?: { readonly hurry?: boolean }): Promise<void>
}

/** Opens nothing and takes nothing: sessions are taken up when they are first touched. */
export async function compose(options: ComposeOptions = {}): Promise<Home> {
  const { sync = 'group', kind = 'headless', warn = () => {} } = options
  const places = createPlaces()
  const settings = await readSettings(places.config, process.env, options.model)
  for (const problem of settings.problems) warn(problem)
  const store = createSessionStore({ data: places.data, sync })
  const models = createModels({
    providers: settings.providers,
    readFile: readScript,
    ...(options.demoPace && { demoPace: options.demoPace }),
  })
  const make: Make = {
    models,
    config: places.config,
    build: buildOf(coreTools),
    onAsk: options.onAsk ?? 'deny',
    cwd: options.cwd,
  }
  const door = createDoor(join(places.cache, 'run'), sync !== 'memory')
  const owned = createOwnedStore({ store, make, url: () => door.url(), takeOver: options.takeOver ?? false })
  const registry = createRegistry(owned)
  const handler = createHandler({
    sessions: registry,
    info: { version, pid: process.pid },
    clock: systemClock,
    actor: userName(),
    report: (id, error) => warn(`${id}: ${error instanceof Error ? error.stack : String(error)}`),
  })
  door.open(handler)
  const client = new Client({ fetch: handler, kind })
  return {
    places,
    settings,
    store,
    models,
    tools: coreTools,
    registry,
    client,
    kind,
    close: async ({ hurry = false } = {}) => {
      if (!hurry) await owned.rest()
      await registry.close()
      await owned.settled()
      await door.close()
    },
  }
}

const readScript = async (path: string): Promise<string> => {
  const { readFile } = await import('node:fs/promises')
  return readFile(path, 'utf8').catch((error: Error) => {
    throw usage(`The script ${path} cannot be read: ${error.message}.`, 'Check the path after script:.')
  })
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The socket by which other processes reach the sessions owned here. It opens with the first lease, not before. */
function createDoor(folder: string, wanted: boolean) {
  let handler: ((request: Request) => Promise<Response>) | undefined
  let serving: ReturnType<typeof serveSocket> | undefined
  return {
    open: (serve: typeof handler) => {
      handler = serve
    },
    url: async (): Promise<string | undefined> => {
      if (!wanted || !handler) return undefined
      serving ??= serveSocket(handler, join(folder, `${process.pid}.sock`))
      return (await serving).url
    },
    close: async (): Promise<void> => {
      await (await serving)?.close()
    },
  }
}
