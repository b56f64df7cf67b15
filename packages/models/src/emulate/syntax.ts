// How a model without native tools writes a call: our own form, and two that open models were trained on.
import type { Json } from '@tenon/protocol'
import { objectOf, textOf } from '../wire/json.ts'

export interface WrittenCall {
  readonly name: string
  /** Argument text as the model wrote it. */
  readonly text: string
}

/** What opens a call; the text from there on belongs to it. */
export const markers = ['<tool_call', '<function='] as const

/**
 * Length of the call at the beginning of `text`, or `undefined` while it is not complete. A closing tag inside of a JSON
 * string does not end it; at the end of a reply, when its JSON never ended, any closing tag does.
 */
export function lengthOfCall(text: string, isEnd: boolean): number | undefined {
  const close = text.startsWith('<tool_call') ? '</tool_call>' : '</function>'
  const from = endOfJson(text) ?? (isEnd ? 0 : text.length)
  const at = text.indexOf(close, from)
  return at < 0 ? undefined : at + close.length
}

/** Where the JSON that a call begins with ends: 0 when it holds none, `undefined` while it does not end. */
function endOfJson(text: string): number | undefined {
  const head = /^<tool_call[^>]*>\s*(?=\{)/.exec(text)?.[0]
  if (head === undefined) return 0
  let depth = 0
  let quoted = false
  for (let at = head.length; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** `undefined` for what is no call after all; a call without its closing tag is read as far as it goes. */
export function readCall(text: string): WrittenCall | undefined {
  return readTagged(text) ?? readFunction(text)
}

/** `<tool_call name="X">{…}</tool_call>`, or (Hermes, Qwen) `<tool_call>{"name": "X", "arguments": {…}}</tool_call>`. */
function readTagged(text: string): WrittenCall | undefined {
  const [, attributes, inner = ''] = /^<tool_call([^>]*)>\s*([\s\S]*?)\s*(?:<\/tool_call>)?$/.exec(text) ?? []
  if (attributes === undefined || inner.startsWith('<function=')) return undefined
  const name = /name\s*=\s*["']?([^"'\s>]+)/.exec(attributes)?.[1]
  if (name !== undefined) return { name, text: inner }
  try {
    const call = objectOf(JSON.parse(inner))
    const input: Json = call.arguments ?? call.parameters ?? {}
    if (textOf(call.name))
      return { name: textOf(call.name), text: typeof input === 'string' ? input : JSON.stringify(input) }
  } catch {
    // Not JSON: the name may still be told, and core says what is wrong with the rest.
    const said = /"name"\s*:\s*"([^"]+)"/.exec(inner)?.[1]
    if (said !== undefined) return { name: said, text: inner }
  }
  return undefined
}

/** Qwen-Coder: `<function=X><parameter=a>1</parameter></function>`, alone or inside of `<tool_call>`. */
function readFunction(text: string): WrittenCall | undefined {
  const name = /<function=([^>\s]+)>/.exec(text)?.[1]
  if (name === undefined) return undefined
  const parameters = [...text.matchAll(/<parameter=([^>\s]+)>\n?([\s\S]*?)\n?<\/parameter>/g)]
  return { name, text: JSON.stringify(Object.fromEntries(parameters.map(([, key, value = '']) => [key, value]))) }
}
