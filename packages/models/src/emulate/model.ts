// `capabilities.tools: prompt`: a model without native tools behind the port, so that nobody else has to know. The parts
// that come out are native calls: a session can go on with another model at any time.
import type { Model, ModelPart } from '@tenon/core'
import { toPlainRequest } from './request.ts'
import { createCallScanner, type Found } from './scanner.ts'

/** Wraps `model`; a request without tools in it or in its history passes as it is. */
export function withPromptTools(model: Model): Model {
  return {
    stream(request, signal) {
      const needed = request.tools.length > 0 || request.messages.some(({ role }) => role === 'tool')
      return needed ? emulate(model.stream(toPlainRequest(request), signal)) : model.stream(request, signal)
    },
  }
}

async function* emulate(parts: ReturnType<Model['stream']>): AsyncGenerator<ModelPart> {
  const scanner = createCallScanner()
  const writer = createWriter()
  for await (const part of parts) {
    switch (part.type) {
      case 'text.start':
      case 'text.end':
        // Blocks are our own: a call may begin in one and end in the next.
        break
      case 'text.delta':
        yield* writer.write(scanner.take(part.text))
        break
      case 'finish': {
        yield* writer.write(scanner.end())
        yield* writer.close()
        const isEnd = part.reason === 'stop' || part.reason === 'calls'
        yield isEnd ? { ...part, reason: writer.calls() ? 'calls' : 'stop' } : part
        break
      }
      default:
        yield* writer.close()
        yield part
    }
  }
}

function createWriter() {
  let open: string | undefined
  let texts = 0
  let calls = 0
  const close = (): readonly ModelPart[] => {
    const ended: readonly ModelPart[] = open === undefined ? [] : [{ type: 'text.end', id: open }]
    open = undefined
    return ended
  }
  const write = (found: Found): readonly ModelPart[] => {
    if (found.type === 'call') {
      const id = `c${calls++}`
      const { name, text } = found
      const start: ModelPart = { type: 'call.start', id, name, wireId: '' }
      const delta: readonly ModelPart[] = text ? [{ type: 'call.delta', id, text }] : []
      return [...close(), start, ...delta, { type: 'call.end', id, name, text }]
    }
    // Blank lines around calls are no text.
    if (open === undefined && !found.text.trim()) return []
    const begun: ModelPart[] = []
    if (open === undefined) {
      open = `t${texts++}`
      begun.push({ type: 'text.start', id: open })
    }
    return [...begun, { type: 'text.delta', id: open, text: found.text }]
  }
  return { close, calls: () => calls, write: (found: readonly Found[]) => found.flatMap(write) }
}
