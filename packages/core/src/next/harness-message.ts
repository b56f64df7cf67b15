// A text of the harness that opens a turn.
import type { DraftOf, HarnessKind } from '@tenon/protocol'

export const harnessMessage = (kind: HarnessKind, text: string): DraftOf<'message.added'> => ({
  type: 'message.added',
  by: 'harness',
  role: 'harness',
  kind,
  parts: [{ type: 'text', text }],
})
