// Live fragments as the stream events of `--include-partial-messages`. Arguments of calls come whole with the message.
import type { Live, Usage } from '@tenon/protocol'
import { toUsage } from './result.ts'

type StreamEvent = Readonly<Record<string, unknown>>

export function createPartial() {
  let open: { readonly message: string; part: number } | undefined

  const closePart = (): readonly StreamEvent[] =>
    open && open.part >= 0 ? [{ type: 'content_block_stop', index: open.part }] : []
  const close = (stop: string | null, usage?: Usage): readonly StreamEvent[] => {
    if (!open) return []
    const events = [
      ...closePart(),
      {
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null },
        ...(usage && { usage: toUsage(usage) }),
      },
      { type: 'message_stop' },
    ]
    open = undefined
    return events
  }

  return {
    live(fragment: Live): readonly StreamEvent[] {
      if (fragment.type === 'message.dropped') return open?.message === fragment.message ? close(null) : []
      if (fragment.type !== 'message.delta' || fragment.kind === 'call') return []
      const { message, part, kind, text } = fragment
      const events: StreamEvent[] = []
      if (open?.message !== message) {
        events.push(...close(null), {
          type: 'message_start',
          message: { id: message, type: 'message', role: 'assistant', content: [] },
        })
        open = { message, part: -1 }
      }
      if (open.part !== part) {
        const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' }
        events.push(...closePart(), { type: 'content_block_start', index: part, content_block: block })
        open.part = part
      }
      const delta = kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text }
      return [...events, { type: 'content_block_delta', index: part, delta }]
    },
    /** The stored message has come. */
    end: (message: string, stop: string | null, usage: Usage): readonly StreamEvent[] =>
      open?.message === message ? close(stop, usage) : [],
  }
}
