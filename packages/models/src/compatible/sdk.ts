// The one file that knows the AI SDK: its provider interface (v4), its prompt, its stream parts. A new generation of the
// SDK changes this file and nothing else.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { ModelMessage, ModelRequest } from '@tenon/core'
import type { Cost, FinishReason, Json, JsonObject, Part, Usage } from '@tenon/protocol'
import { messageText, resultText } from './prompt-text.ts'
import type { WireNames } from './wire-names.ts'

export interface ChatSource {
  /** Id under `providers`; names the provider in messages and owns the reasoning it wrote. */
  readonly provider: string
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

/** What the rest of the adapter sees of a stream. */
export type SdkEvent =
  | {
      readonly type: 'meta'
      readonly responseId?: string
      readonly model?: string
      readonly warnings?: readonly string[]
    }
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** A chunk as the provider sent it, before the SDK's own parts for it. */
  | { readonly type: 'raw'; readonly chunk: unknown }
  /** The chunk before it is no JSON, or not of the shape of a chunk. */
  | { readonly type: 'unreadable'; readonly why: string }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason | undefined
      readonly usage: Usage | null
      readonly cost?: Cost
    }

/** Loads the SDK on first use. */
export async function openChat({
  provider,
  baseUrl,
  model,
  apiKey,
  headers,
  fetch,
}: ChatSource): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    includeUsage: true,
    fetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(headers && { headers: { ...headers } }),
  }).chatModel(model)
}

/** Leaving the iteration early cancels the stream. */
export async function* streamChat(
  chat: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<SdkEvent> {
  const { stream } = await chat.doStream({ ...options, includeRawChunks: true })
  for await (const part of stream) {
    const event = toEvent(part)
    if (event) yield event
  }
}

function toEvent(part: LanguageModelV4StreamPart): SdkEvent | undefined {
  switch (part.type) {
    case 'raw':
      return { type: 'raw', chunk: part.rawValue }
    case 'text-delta':
      return { type: 'text', text: part.delta }
    case 'reasoning-delta':
      return { type: 'reasoning', text: part.delta }
    case 'stream-start':
      return part.warnings.length ? { type: 'meta', warnings: part.warnings.map(warningText) } : undefined
    case 'response-metadata':
      return { type: 'meta', ...(part.id && { responseId: part.id }), ...(part.modelId && { model: part.modelId }) }
    case 'error':
      return toUnreadable(part.error)
    case 'finish':
      return {
        type: 'finish',
        reason: reasons[part.finishReason.unified],
        usage: toUsage(part.usage),
        ...toCost(part.usage),
      }
    default:
      return undefined
  }
}

/** The other errors are the provider's own, which the raw chunk shows better, and the missing finish, which shows itself. */
function toUnreadable(error: unknown): SdkEvent | undefined {
  if (!(error instanceof Error) || !/^AI_(TypeValidation|JSONParse)Error$/.test(error.name)) return undefined
  return { type: 'unreadable', why: error.message }
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
  'tool-calls': 'calls',
}

/** The wire's prompt count holds the cached tokens; ours are disjoint. DeepSeek says cache hits in a field of its own. */
function toUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null
  const hits = raw?.prompt_cache_hit_tokens
  const cacheRead = whole(inputTokens.cacheRead || (typeof hits === 'number' ? hits : 0))
  const cacheWrite = whole(inputTokens.cacheWrite)
  const reasoning = whole(outputTokens.reasoning)
  const output = whole(outputTokens.total)
  return {
    input: Math.max(0, whole(inputTokens.total) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    // Some count reasoning beside the completion.
    output: reasoning > output ? output + reasoning : output,
    reasoning,
  }
}

/** OpenRouter and its like state the price in USD. */
function toCost({ raw }: LanguageModelV4Usage): { readonly cost?: Cost } {
  const usd = raw?.cost
  return typeof usd === 'number' ? { cost: { nanoUsd: Math.round(usd * 1e9), source: 'provider' } } : {}
}

const whole = (count: number | undefined): number => Math.max(0, Math.round(count ?? 0))

const warningText = (warning: SharedV4Warning): string => {
  if (warning.type === 'deprecated') return `${warning.setting} is deprecated: ${warning.message}`
  return warning.type === 'other' ? warning.message : `${warning.feature}: ${warning.details ?? warning.type}`
}

/** A request in the SDK's words. @param provider whose reasoning goes back to it; others' is left out */
export function toCallOptions(
  request: ModelRequest,
  { provider, names, signal }: { provider: string; names: WireNames; signal: AbortSignal },
): LanguageModelV4CallOptions {
  const system = [...request.system.stable, ...request.system.volatile].map((block) => block.text).filter(Boolean)
  const prompt = request.messages.map((message) => toMessage(message, provider, names))
  return {
    prompt: system.length ? [{ role: 'system', content: system.join('\n\n') }, ...prompt] : prompt,
    abortSignal: signal,
    ...(request.output.max !== undefined && { maxOutputTokens: request.output.max }),
    ...(request.tools.length && {
      tools: request.tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        name: names.toWire(name),
        description,
        // JSON Schema is JSON; the SDK passes it through.
        inputSchema: schema as object,
      })),
      toolChoice: { type: request.toolChoice },
    }),
  }
}

function toMessage(message: ModelMessage, provider: string, names: WireNames): LanguageModelV4Message {
  if (message.role === 'user') return { role: 'user', content: [...toUserContent(message.parts)] }
  if (message.role === 'tool') {
    const content = message.results.map((result) => ({
      type: 'tool-result' as const,
      toolCallId: names.callId(result.call),
      toolName: names.toWire(result.name),
      output: { type: 'text' as const, value: resultText(result) },
    }))
    return { role: 'tool', content }
  }
  const own = message.provider === provider
  const content = message.parts.flatMap((part) => toReplyContent(part, own, names))
  const bare = content.every((part) => part.type === 'reasoning')
  return { role: 'assistant', content: bare ? [...content, { type: 'text', text: '(no text)' }] : content }
}

/** One text where there are only texts: many servers take a string and no list. */
function toUserContent(parts: readonly Part[]): Extract<LanguageModelV4Message, { role: 'user' }>['content'] {
  const images = parts.flatMap((part) =>
    part.type === 'image' && part.url !== undefined
      ? [{ type: 'file' as const, mediaType: part.mime, data: { type: 'url' as const, url: new URL(part.url) } }]
      : [],
  )
  const text = messageText(parts)
  return [...(text || !images.length ? [{ type: 'text' as const, text: text || '(empty message)' }] : []), ...images]
}

function toReplyContent(
  part: Part,
  own: boolean,
  names: WireNames,
): Extract<LanguageModelV4Message, { role: 'assistant' }>['content'] {
  if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
  if (part.type === 'reasoning') return own && part.text ? [{ type: 'reasoning', text: part.text }] : []
  if (part.type !== 'call') return []
  // `meta` is what the provider hung on the call; the SDK spreads this record into it.
  const meta = own && isRecord(part.meta) ? { providerOptions: { openaiCompatible: part.meta } } : {}
  const { id, name, input } = part
  return [{ type: 'tool-call', toolCallId: names.callId(id), toolName: names.toWire(name), input, ...meta }]
}

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
