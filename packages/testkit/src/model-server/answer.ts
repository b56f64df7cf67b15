// One HTTP request from its route to its answer: recorded, refused, or its turn played.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '@tenon/protocol'
import { anthropicFormat } from './anthropic/anthropic.ts'
import { chatFormat } from './chat/chat.ts'
import { badRequest } from './errors.ts'
import type { WireFormat, WireReply } from './format.ts'
import { googleFormat } from './google/google.ts'
import type { ModelServerOptions, RecordedRequest } from './options.ts'
import { breakOf, playBody, playError, playFrames, type Stage } from './play.ts'
import { type Asked, refusalOf } from './refusal.ts'
import { responsesFormat } from './responses/responses.ts'
import type { ServerTurn } from './turn.ts'

/** A further wire format is one more entry here. Lists of models are told apart in this order. */
const formats: readonly WireFormat[] = [anthropicFormat, googleFormat, responsesFormat, chatFormat]

export interface Context {
  readonly options: ModelServerOptions
  readonly requests: RecordedRequest[]
  /** Times that each turn was broken. */
  readonly broken: Map<number, number>
  /** Places of the turns that were played whole, by wire format. */
  readonly served: Map<string, Set<number>>
}

export async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://loopback')
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const lists = formats.map(({ list }) => (request.method === 'GET' ? list(path, request.headers) : undefined))
  const list = lists.find((found) => found !== undefined)
  if (list !== undefined) return void send(200, list)
  const format = formats.find((candidate) => candidate.matches(path))
  if (!format || request.method !== 'POST')
    return void send(404, { error: { message: `No route ${request.method} ${path}.` } })

  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const stage: Stage = { response, format, gone: gone.signal }
  const body = parseObject(await readText(request))
  if (!body) return playError(stage, badRequest('The body is not a JSON object.'))
  const asked: Asked = { format, body, headers: request.headers, facts: format.read(body, path), query }
  const { script } = context.options
  const places = context.served.get(format.name)
  const refused = refusalOf(context.options, asked, (place) => (places?.has(place) ? script[place] : undefined))
  record(context, asked, { path, refused: refused?.message })
  if (refused) return playError(stage, refused)
  const turn = script[asked.facts.replies]
  if (turn) await play(stage, turn, asked, context)
}

function record({ requests }: Context, asked: Asked, { path, refused }: { path: string; refused: string | undefined }) {
  const { headers, body, facts } = asked
  const request = { path, headers, body, at: Date.now(), place: facts.replies }
  requests.push(refused === undefined ? request : { ...request, refused })
}

async function play(stage: Stage, turn: ServerTurn, asked: Asked, { broken, served: places }: Context): Promise<void> {
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
  if (!broke || reply.noise || type === 'keep-alive')
    places.set(format.name, (places.get(format.name) ?? new Set()).add(facts.replies))
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
