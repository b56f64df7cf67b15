// One HTTP request from its route to its answer: recorded, refused, or its turn played.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '@tenon/protocol'
import { chatFormat } from './chat/chat.ts'
import { badRequest } from './errors.ts'
import type { WireFormat, WireReply } from './format.ts'
import type { ModelServerOptions, RecordedRequest } from './options.ts'
import { breakOf, playBody, playError, playFrames, type Stage } from './play.ts'
import { type Asked, refusalOf } from './refusal.ts'
import type { ServerTurn } from './turn.ts'

/** A further wire format is one more entry here. */
const formats: readonly WireFormat[] = [chatFormat]

export interface Context {
  readonly options: ModelServerOptions
  readonly requests: RecordedRequest[]
  /** Times that each turn was broken. */
  readonly broken: Map<number, number>
}

export async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://loopback').pathname
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.method === 'GET' && path.endsWith('/models'))
    return void send(200, { object: 'list', data: [{ id: 'script', object: 'model' }] })
  const format = formats.find((candidate) => candidate.matches(path))
  if (!format || request.method !== 'POST')
    return void send(404, { error: { message: `No route ${request.method} ${path}.` } })

  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const stage: Stage = { response, format, gone: gone.signal }
  const body = parseObject(await readText(request))
  if (!body) return playError(stage, badRequest('The body is not a JSON object.'))
  const asked: Asked = { format, body, headers: request.headers, facts: format.read(body, path) }
  const refused = refusalOf(context.options, asked)
  record(context, asked, { path, refused: refused?.message })
  if (refused) return playError(stage, refused)
  const turn = context.options.script[asked.facts.replies]
  if (turn) await play(stage, turn, asked, context.broken)
}

function record({ requests }: Context, asked: Asked, { path, refused }: { path: string; refused: string | undefined }) {
  const { headers, body, facts } = asked
  const request = { path, headers, body, at: Date.now(), place: facts.replies }
  requests.push(refused === undefined ? request : { ...request, refused })
}

async function play(stage: Stage, turn: ServerTurn, asked: Asked, broken: Map<number, number>): Promise<void> {
  const { format, facts, body } = asked
  const served = broken.get(facts.replies) ?? 0
  const broke = breakOf(turn, served)
  if (broke) broken.set(facts.replies, served + 1)
  const type = broke?.fault.type
  const reply: WireReply = {
    id: `reply_${facts.replies + 1}_${served + 1}`,
    model: facts.model,
    place: facts.replies,
    turn,
    body,
    ...((type === 'nulls' || type === 'no-delta') && { noise: type }),
  }
  if (broke?.before) return playError(stage, broke.error, turn.fail?.retryAfter)
  if (broke && type === 'body') return playBody(stage, broke.fault)
  if (type === 'empty') return void stage.response.writeHead(200, { 'content-type': 'text/event-stream' }).end()
  if (type === 'blank') return playFrames(stage, format.blankFrames(reply), turn)
  if (facts.stream) return playFrames(stage, format.frames(reply), turn, broke)
  stage.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(format.whole(reply)))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // JSON.parse of an object is a JsonObject by definition.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
