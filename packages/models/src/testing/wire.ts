// A model of any wire format against a scripted server on loopback: for tests, which hand in testkit's own server.
import type { Model } from '@tenon/core'
import { createModels } from '../models.ts'
import type { Api, ModelEntry, ProviderEntry } from '../providers/entry.ts'

export interface WireChoice {
  /** Model id. Default `m`, which nobody knows. */
  readonly id?: string
  /** Id under `providers`. Default: the wire format. */
  readonly provider?: string
  readonly entry?: Partial<ProviderEntry>
  readonly model?: ModelEntry
}

interface Server {
  readonly origin: string
  close(): Promise<void>
}

/** @param start `startModelServer` of testkit, which this file may not import */
export function wireOver<Options, S extends Server>(start: (options: Options) => Promise<S>) {
  return async (
    api: Api,
    options: Options & WireChoice,
  ): Promise<{ readonly model: Model; readonly server: S; close(): Promise<void> }> => {
    const { id = 'm', provider = api, entry, model } = options
    const server = await start(options)
    const models = createModels({
      providers: { [provider]: { api, baseUrl: server.origin, ...(model && { models: { [id]: model } }), ...entry } },
      readFile: () => Promise.reject(new Error('no file')),
    })
    return { model: await models.resolve(`${provider}/${id}`), server, close: () => server.close() }
  }
}
