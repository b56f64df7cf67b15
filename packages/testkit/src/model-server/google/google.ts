// Gemini on the wire: POST /models/ID:generateContent and :streamGenerateContent. Facts: https://ai.google.dev/api
import type { Json, JsonObject } from '@tenon/protocol'
import type { WireError, WireFacts, WireFormat } from '../format.ts'
import { contentsOf, contentText, declarationsOf } from './contents.ts'
import { blankFrames, event, googleFrames, whole } from './frames.ts'
import { googleRefusal } from './strict.ts'

const route = /\/models\/([^/]+):(streamGenerateContent|generateContent)$/

export const googleFormat: WireFormat = {
  name: 'google',
  matches: (path) => route.test(path),
  list: (path) =>
    path.endsWith('/v1beta/models')
      ? { models: [{ name: 'models/script', displayName: 'Script', supportedGenerationMethods: ['generateContent'] }] }
      : undefined,
  keyOf: (headers, query) => {
    const key = headers['x-goog-api-key'] ?? query.get('key')
    return typeof key === 'string' ? key : undefined
  },
  read,
  refusal: googleRefusal,
  frames: googleFrames,
  blankFrames,
  whole,
  error: (error) => ({ error: toError(error) }),
  errorFrame: (error) => event({ error: toError(error) }),
}

function read(body: JsonObject, path: string): WireFacts {
  const [, model = '', method] = route.exec(path) ?? []
  const contents = contentsOf(body)
  return {
    model: decodeURIComponent(model),
    stream: method === 'streamGenerateContent',
    replies: contents.filter(({ role }) => role === 'model').length,
    newest: contents.length ? contentText(contents.at(-1) ?? {}) : '',
    tools: declarationsOf(body).map(({ name }) => String(name)),
  }
}

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const toError = ({ status, message }: WireError): Json => ({
  code: status,
  message,
  status: statuses[status] ?? 'UNKNOWN',
})
