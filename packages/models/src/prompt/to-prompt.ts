// A request's messages in the words of the AI SDK's provider interface: roles, calls, results, own reasoning, images.
import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { ModelMessage, ModelRequest, ModelResult } from '@tenon/core'
import type { JsonObject, Part } from '@tenon/protocol'
import { familyOf } from '../quirks/family.ts'
import type { Dialect } from '../wire/dialect.ts'
import type { ModelFacts } from '../wire/facts.ts'
import { toObject } from '../wire/json.ts'
import type { Images } from './images.ts'
import { contentOf, resultContent } from './prompt-text.ts'
import type { WireNames } from './wire-names.ts'

export interface PromptFacts {
  readonly dialect: Dialect
  readonly model: ModelFacts
  readonly names: WireNames
  readonly images: Images
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content']
type ReplyContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** Adjacent user messages are joined: images of results may stand before what the person said next. */
export function toPrompt(request: ModelRequest, facts: PromptFacts): LanguageModelV4Message[] {
  const { stable, volatile } = request.system
  const system = [stable, volatile].map((blocks) =>
    blocks
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n\n'),
  )
  const prompt: LanguageModelV4Message[] = system.filter(Boolean).map((content) => ({ role: 'system', content }))
  for (const message of request.messages) {
    for (const next of toMessages(message, facts)) {
      const last = prompt.at(-1)
      if (last?.role === 'user' && next.role === 'user')
        prompt[prompt.length - 1] = { role: 'user', content: [...last.content, ...next.content] }
      else prompt.push(next)
    }
  }
  return prompt
}

function toMessages(message: ModelMessage, facts: PromptFacts): readonly LanguageModelV4Message[] {
  if (message.role === 'user') return [{ role: 'user', content: toUserContent(message.parts, facts.images) }]
  if (message.role === 'tool') return toResults(message.results, facts)
  const own = isOwn(message, facts.model)
  const content = message.parts.flatMap((part) => toReplyContent(part, own, facts))
  // One that has only thoughts left would be refused.
  const bare = content.every((part) => part.type === 'reasoning')
  return [{ role: 'assistant', content: bare ? [...content, { type: 'text', text: '(no text)' }] : content }]
}

/** Reasoning goes back to who wrote it: the same provider, and a model of the same family. */
export function isOwn(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  { provider, family }: Pick<ModelFacts, 'provider' | 'family'>,
): boolean {
  if (message.provider !== provider) return false
  const wrote = familyOf(message.model)
  return wrote === '' || family === '' || wrote === family
}

function toUserContent(parts: readonly Part[], images: Images): UserContent {
  const { text, images: shown } = contentOf(parts, images)
  return [
    ...(text.trim() || !shown.length ? [{ type: 'text' as const, text: text.trim() ? text : '(empty message)' }] : []),
    ...shown.map(toFile),
  ]
}

const toFile = (image: ReturnType<typeof contentOf>['images'][number]) => ({
  type: 'file' as const,
  mediaType: image.mime,
  data:
    image.type === 'url'
      ? { type: 'url' as const, url: new URL(image.url) }
      : { type: 'data' as const, data: image.bytes },
})

function toResults(
  results: readonly ModelResult[],
  { dialect, names, images }: PromptFacts,
): readonly LanguageModelV4Message[] {
  const contents = results.map((result) => ({ result, ...resultContent(result, images) }))
  const content = contents.map(({ result, text, images: shown }): LanguageModelV4ToolResultPart => {
    const { call, name, status } = result
    const failed = dialect.resultErrors && status !== 'ok'
    return {
      type: 'tool-result',
      toolCallId: names.callId(call),
      toolName: names.toWire(name),
      output:
        shown.length && dialect.resultImages
          ? { type: 'content', value: [{ type: 'text', text }, ...shown.map(toFile)] }
          : { type: failed ? 'error-text' : 'text', value: text },
    }
  })
  const after = dialect.resultImages ? [] : contents.flatMap(({ images: shown }) => shown.map(toFile))
  const messages: LanguageModelV4Message[] = [{ role: 'tool', content }]
  if (!after.length) return messages
  const said = { type: 'text' as const, text: `The image${after.length > 1 ? 's' : ''} of the results above:` }
  return [...messages, { role: 'user', content: [said, ...after] }]
}

function toReplyContent(part: Part, own: boolean, { dialect, names }: PromptFacts): ReplyContent {
  if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
  if (part.type === 'reasoning') {
    const options = own ? dialect.reasoning(part) : undefined
    return options ? [{ type: 'reasoning', text: part.text, ...providerOptions(dialect, options) }] : []
  }
  if (part.type !== 'call') return []
  const meta = own && dialect.call ? toObject(part.meta) : undefined
  const { id, name, input } = part
  const call = { type: 'tool-call' as const, toolCallId: names.callId(id), toolName: names.toWire(name), input }
  return [{ ...call, ...(meta && dialect.call && providerOptions(dialect, dialect.call(meta))) }]
}

const optionKeys = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'openaiCompatible',
} as const

/** Options under the name by which the SDK's package looks them up; JsonObject is what the SDK calls JSONObject. */
export function providerOptions({ sdk }: Dialect, options: JsonObject) {
  return { providerOptions: { [optionKeys[sdk]]: options as { [key: string]: never } } }
}
