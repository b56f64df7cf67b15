// The one file that opens the AI SDK: its packages write the requests of their wire formats, and nothing more. Their fetch
// is answered with nothing, so that what they would have sent is ours to send and the stream is ours to read: their own
// readers give empty and doubled call ids random ones, join signed parts, and end the stream at a block they do not know.
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { JsonObject } from '@tenon/protocol'
import type { SdkPackage } from './dialect.ts'

export interface SdkSource {
  readonly sdk: SdkPackage
  /** What stands before the endpoint. */
  readonly baseUrl: string
  readonly model: string
}

export interface Written {
  readonly url: string
  /** Without any key, and without the previews that the SDK would switch on. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** Loads the package on first use. @throws whatever the SDK cannot write, as it is: a bug of ours */
export async function writeRequest(source: SdkSource, options: LanguageModelV4CallOptions): Promise<Written> {
  let sent: { readonly url: string; readonly init: RequestInit } | undefined
  const model = await openers[source.sdk](source, async (url, init) => {
    sent = { url: String(url), init: init ?? {} }
    return new Response(new ReadableStream({ start: (controller) => controller.close() }), {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  const { stream } = await model.doStream(options)
  // Its warnings are about its own guesses, which our edit of the body replaces.
  await stream.cancel()
  if (!sent) throw new Error(`@ai-sdk/${source.sdk} sent no request.`)
  const { url, init } = sent
  return { url, headers: headersOf(init), body: JSON.parse(String(init.body)) }
}

type Open = (source: SdkSource, fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>

/** Without a key the packages would look for one in the environment. */
const apiKey = 'unused'

const openers: Readonly<Record<SdkPackage, Open>> = {
  'openai-compatible': async ({ baseUrl, model }, fetch) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ name: 'chat', baseURL: baseUrl, includeUsage: true, apiKey, fetch }).chatModel(
      model,
    )
  },
  anthropic: async ({ baseUrl, model }, fetch) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey, fetch }).languageModel(model)
  },
  openai: async ({ baseUrl, model }, fetch) => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL: baseUrl, apiKey, fetch }).responses(model)
  },
  google: async ({ baseUrl, model }, fetch) => {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ baseURL: baseUrl, apiKey, fetch }).languageModel(model)
  },
}

const ownHeader = /^(authorization|x-api-key|x-goog-api-key|user-agent|anthropic-beta)$/

function headersOf({ headers }: RequestInit): Readonly<Record<string, string>> {
  const entries = [...new Headers(headers)].filter(([name]) => !ownHeader.test(name))
  return { ...Object.fromEntries(entries), 'user-agent': 'tenon' }
}
