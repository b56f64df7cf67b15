// OpenAI chat completions, and every server that speaks them: api `openai-chat`.
import type { Dialect } from '../wire/dialect.ts'
import { editChat } from './edit.ts'
import { createChatReader, wholeChat } from './reader.ts'

export const chatDialect: Dialect = {
  sdk: 'openai-compatible',
  auth: 'bearer',
  resultImages: false,
  resultErrors: false,
  reasoning: ({ text }) => (text ? {} : undefined),
  // The SDK spreads this record into the call.
  call: (meta) => meta,
  edit: editChat,
  createReader: createChatReader,
  whole: wholeChat,
}
