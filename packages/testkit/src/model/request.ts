// Requests for tests of models, with everything that a test does not care about filled in.
import type { ModelMessage, ModelPart, ModelRequest, ModelTool } from '@tenon/core'
import type { Part, ResultPart, ToolStatus } from '@tenon/protocol'

/** A request for purpose `act`: one person's message "hello", no tools, unless `fields` says otherwise. */
export const modelRequest = (fields: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'act',
  model: 'test',
  system: { stable: [{ id: 'base', text: 'You are an agent.' }], volatile: [] },
  messages: [userMessage('hello')],
  tools: [],
  toolChoice: 'auto',
  output: {},
  cache: { key: 'ses_test' },
  try: 0,
  ...fields,
})

export const userMessage = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] })

/** A reply as it is sent back; `provider` is who wrote it. */
export const assistantMessage = (parts: readonly Part[], provider = 'test'): ModelMessage => ({
  role: 'assistant',
  parts,
  provider,
  model: 'test',
})

export const callPart = (id: string, name: string, input: Extract<Part, { type: 'call' }>['input']): Part => ({
  type: 'call',
  id,
  name,
  tool: name,
  input,
  repairs: [],
})

/** Results of one reply, in call order: `[call id, tool name, text, status]`. */
export const toolMessage = (
  ...results: readonly (readonly [call: string, name: string, text: string, status?: ToolStatus])[]
): ModelMessage => ({
  role: 'tool',
  results: results.map(([call, name, text, status = 'ok']) => ({
    call,
    name,
    status,
    content: [{ type: 'text', text }] satisfies ResultPart[],
  })),
})

/** A tool that takes any object. */
export const modelTool = (name: string): ModelTool => ({
  name,
  description: `The tool ${name}.`,
  schema: { type: 'object', properties: {}, additionalProperties: true },
})

/** All parts of a stream, and what it threw. */
export async function collect(
  stream: AsyncIterable<ModelPart>,
): Promise<{ readonly parts: readonly ModelPart[]; readonly error: unknown }> {
  const parts: ModelPart[] = []
  try {
    for await (const part of stream) parts.push(part)
    return { parts, error: undefined }
  } catch (error) {
    return { parts, error }
  }
}

/** Joined text of all deltas of one type. */
export const deltas = (parts: readonly ModelPart[], type: 'text.delta' | 'reasoning.delta' | 'call.delta'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')
