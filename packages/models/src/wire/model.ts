// The Model port over any wire format: the dialect says what differs, this file does what does not.
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Model, ModelPart, ModelRequest } from '@tenon/core'
import type { JsonObject } from '@tenon/protocol'
import { costOf } from '../catalogue/cost.ts'
import { loadImages } from '../prompt/images.ts'
import { providerOptions, toPrompt } from '../prompt/to-prompt.ts'
import { createWireNames, type WireNames } from '../prompt/wire-names.ts'
import type { Auth } from '../providers/entry.ts'
import { assemble } from './assemble.ts'
import { chunksOf } from './chunks.ts'
import type { Dialect } from './dialect.ts'
import type { ModelFacts } from './facts.ts'
import { objectOf } from './json.ts'
import { type StreamLimits, streamLimits } from './limits.ts'
import { writeRequest } from './sdk.ts'
import { type Post, post, type Transport } from './transport.ts'

export interface WireConfig {
  /** What stands before the endpoint; already mended. */
  readonly baseUrl: string
  readonly model: ModelFacts
  /** Sent as `auth` says; without it none is sent. */
  readonly apiKey?: string
  /** Default: what the wire format is used to. */
  readonly auth?: Auth
  readonly headers?: Readonly<Record<string, string>>
  /** Extra fields of the body, laid over it last. */
  readonly params?: JsonObject
  /** Milliseconds; those left out keep their default. */
  readonly limits?: Partial<StreamLimits>
  /** Milliseconds UTC; used for waits that are given as a date. */
  readonly now?: () => number
}

/** Nothing is opened or loaded before the first `stream`. */
export function createWireModel(dialect: Dialect, config: WireConfig): Model {
  const { model, now = Date.now } = config
  const transport: Transport = { provider: model.provider, now, limits: { ...limitsOf(model), ...config.limits } }

  return {
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      signal.throwIfAborted()
      const names = createWireNames(request.tools, { shortIds: model.quirks.shortIds === true })
      const own = linked(signal)
      try {
        const { warnings, ...written } = await write(dialect, config, { request, names })
        if (warnings.length) yield { type: 'meta', warnings }
        const answer = await post(transport, { ...written, signal: own.signal })
        const facts = { provider: model.provider, now }
        const chunks = chunksOf(answer, { ...facts, whole: dialect.whole })
        const parts = assemble(chunks, { ...facts, nameOf: names.fromWire, reader: dialect.createReader(model) })
        for await (const part of parts) yield part.type === 'finish' ? priced(part, model) : part
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        own.end()
      }
    },
  }
}

/** With its cost, where the provider did not state it and a price is known. */
function priced(finish: Extract<ModelPart, { type: 'finish' }>, { prices }: ModelFacts): ModelPart {
  if (finish.cost || !finish.usage || !(prices.config ?? prices.catalogue)) return finish
  return { ...finish, cost: costOf(finish.usage, prices) }
}

/** Models that think are silent for long. */
const limitsOf = ({ reasoning }: ModelFacts): StreamLimits =>
  reasoning === 'none' ? streamLimits : { ...streamLimits, firstByte: 600_000, idle: 600_000 }

type WrittenPost = Omit<Post, 'signal'> & { readonly warnings: readonly string[] }

async function write(
  dialect: Dialect,
  config: WireConfig,
  { request, names }: { readonly request: ModelRequest; readonly names: WireNames },
): Promise<WrittenPost> {
  const { model, baseUrl, params, headers } = config
  const images = await loadImages(request, model.vision && !model.quirks.stringContent)
  const prompt = toPrompt(request, { dialect, model, names, images })
  const written = await writeRequest(
    { sdk: dialect.sdk, baseUrl, model: model.id },
    toOptions(dialect, request, { prompt, names }),
  )
  const left: string[] = []
  const body = dialect.edit(written.body, { request, model, names, warn: (what) => left.push(what) })
  const sent = keyed(written.url, config, dialect)
  return {
    url: sent.url,
    headers: { ...written.headers, ...dialect.headers?.(model), ...sent.headers, ...headers },
    body: toWellFormed(JSON.stringify(params ? overlaid(body, params) : body)),
    warnings: left,
  }
}

function toOptions(
  dialect: Dialect,
  { tools, toolChoice, output }: ModelRequest,
  { prompt, names }: { readonly prompt: LanguageModelV4CallOptions['prompt']; readonly names: WireNames },
): LanguageModelV4CallOptions {
  return {
    prompt,
    includeRawChunks: false,
    ...(output.max !== undefined && { maxOutputTokens: output.max }),
    ...(dialect.options && providerOptions(dialect, dialect.options)),
    ...(tools.length && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        name: names.toWire(name),
        description,
        // JSON Schema is JSON; the SDK passes it through.
        inputSchema: schema as object,
      })),
      toolChoice: { type: toolChoice },
    }),
  }
}

function keyed(
  url: string,
  { apiKey, auth }: WireConfig,
  dialect: Dialect,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const how = apiKey ? (auth ?? dialect.auth) : 'none'
  if (how === 'none' || !apiKey) return { url, headers: {} }
  if (how === 'bearer') return { url, headers: { authorization: `Bearer ${apiKey}` } }
  if (how !== 'query') return { url, headers: { [how]: apiKey } }
  const withKey = new URL(url)
  withKey.searchParams.set('key', apiKey)
  return { url: withKey.href, headers: {} }
}

/** `params` of the settings win, objects field by field. */
function overlaid(body: JsonObject, params: JsonObject): JsonObject {
  const fields = Object.entries(params).map(([key, value]) =>
    isPlain(value) && isPlain(body[key]) ? [key, overlaid(objectOf(body[key]), objectOf(value))] : [key, value],
  )
  return { ...body, ...Object.fromEntries(fields) }
}

const isPlain = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON text with lone surrogates replaced: JSON.stringify writes them as escapes, and most providers refuse them. */
const toWellFormed = (body: string): string =>
  body.includes('\\ud') ? body.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : body

/** A signal of our own that follows `signal` and is aborted at the end, so that no socket outlives its stream. */
function linked(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const own = new AbortController()
  const follow = () => own.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })
  return {
    signal: own.signal,
    end() {
      signal.removeEventListener('abort', follow)
      own.abort()
    },
  }
}
