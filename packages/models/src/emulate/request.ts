// A request for a model without native tools: tools in the system text, calls and results as text.
import type { ModelMessage, ModelRequest, ModelTool } from '@tenon/core'
import type { Json, JsonObject, Part, ResultPart } from '@tenon/protocol'
import { listOf, objectOf } from '../wire/json.ts'

export function toPlainRequest(request: ModelRequest): ModelRequest {
  const { tools, toolChoice, system, messages, sampling } = request
  const offered = tools.length && toolChoice !== 'none'
  const block = { id: 'tools', text: toolText(tools) }
  return {
    ...request,
    system: offered ? { ...system, stable: [...system.stable, block] } : system,
    messages: joined(messages.map(toPlainMessage)),
    tools: [],
    toolChoice: 'auto',
    sampling: { ...sampling, stop: [...(sampling?.stop ?? []), '<tool_result'] },
  }
}

const toolText = (tools: readonly ModelTool[]): string =>
  [
    '# Tools',
    'You can call tools. A call is written as one block, its input as JSON that fits the schema of the tool:',
    exampleOf(tools),
    'You may write several blocks. After them stop: the results come in the next message, one <tool_result> a call, in order.',
    'The tools:',
    ...tools.map(({ name, description, schema }) => `## ${name}\n${description}\nInput: ${JSON.stringify(schema)}`),
  ].join('\n\n')

/** A call of a tool that is really there: models copy what they see. */
function exampleOf([tool]: readonly ModelTool[]): string {
  if (!tool) return ''
  const { properties, required } = objectOf(tool.schema)
  const fields = objectOf(properties)
  const names = required === undefined ? Object.keys(fields).slice(0, 1) : listOf(required).map(String)
  const input = Object.fromEntries(names.map((name) => [name, exampleValue(objectOf(fields[name]))]))
  return writeCall(tool.name, input)
}

function exampleValue(schema: JsonObject): Json {
  const [first] = listOf(schema.enum)
  if (first !== undefined) return first
  const values: Readonly<Record<string, Json>> = { number: 1, integer: 1, boolean: true, array: [], object: {} }
  return values[String(schema.type)] ?? '…'
}

const writeCall = (name: string, input: Json): string =>
  `<tool_call name="${name}">\n${JSON.stringify(input)}\n</tool_call>`

function toPlainMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') return { ...message, parts: message.parts.map(toPlainPart) }
  if (message.role !== 'tool') return message
  const parts = message.results.flatMap(({ name, status, content }): readonly Part[] => [
    {
      type: 'text',
      text: `<tool_result name="${name}" status="${status}">\n${content.map(resultText).join('\n')}\n</tool_result>`,
    },
    ...content.filter((part) => part.type === 'image'),
  ])
  return { role: 'user', parts }
}

const toPlainPart = (part: Part): Part =>
  part.type === 'call' ? { type: 'text', text: writeCall(part.name, part.raw ?? part.input) } : part

function resultText(part: ResultPart): string {
  if (part.type === 'text') return part.text
  if (part.type === 'error') return `Error (${part.code}): ${part.message} ${part.next}`
  return part.type === 'file' ? `[file ${part.path}]` : ''
}

/** Results have become a user's message: what the person says next joins it, and a reply's texts are one. */
function joined(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const list: ModelMessage[] = []
  for (const message of messages) {
    const last = list.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      list[list.length - 1] = { role: 'user', parts: [...last.parts, ...message.parts] }
    else list.push(message.role === 'assistant' ? { ...message, parts: oneText(message.parts) } : message)
  }
  return list
}

function oneText(parts: readonly Part[]): readonly Part[] {
  const text = parts.flatMap((part) => (part.type === 'text' && part.text ? [part.text] : [])).join('\n\n')
  const others = parts.filter((part) => part.type !== 'text')
  return text ? [...others, { type: 'text', text }] : others
}
