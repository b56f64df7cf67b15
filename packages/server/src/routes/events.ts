// Reading the log: pages, single events, the run projection, blobs.

import type { Session } from '@tenon/core'
import { findNode } from '@tenon/projections'
import { type Event, eventId, TenonError } from '@tenon/protocol'
import { z } from 'zod'
import { readPage } from '../event-page.ts'
import { bad, parseQuery, wholeNumber } from '../request.ts'
import { toRunView } from '../run-view.ts'
import { onSession, type Routes, reply, type Server, toSessionId } from './route.ts'

const pageQuery = z.strictObject({
  after: wholeNumber.pipe(z.int().min(-1)).optional(),
  before: wholeNumber.pipe(z.int().min(0)).optional(),
  types: z.string().max(4000).optional(),
  limit: wholeNumber.pipe(z.int().min(1).max(500)).optional(),
  cursor: z.string().max(20).optional(),
})

export const eventRoutes = (server: Server): Routes => ({
  '/api/sessions/:id/events': {
    GET: (request, param) =>
      onSession(server, param('id'), async ({ session }) => {
        const { after = -1, before, types, limit = 100, cursor } = parseQuery(pageQuery, request.url)
        const from = cursor === undefined ? after + 1 : fromCursor(cursor)
        const page = await readPage(session, { from, before, limit, types: types?.split(',') })
        return new Response(page, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
      }),
  },
  '/api/sessions/:id/events/:event': {
    GET: (_, param) =>
      onSession(server, param('id'), async ({ session }) => {
        const event = await findEvent(session, param('event'))
        if (event) return reply(event)
        throw new TenonError({
          code: 'not_found',
          message: 'This session has no such event.',
          action: 'Give a seq or an event id; list them with GET …/events.',
        })
      }),
  },
  '/api/sessions/:id/projections/run': {
    GET: (request, param) =>
      onSession(server, param('id'), async ({ session }) => {
        const state = session.state()
        const etag = `"run-${state.seq}"`
        const held = request.headers.get('if-none-match')?.split(/\s*,\s*/)
        if (held?.includes(etag)) return new Response(null, { status: 304, headers: { etag } })
        return reply(toRunView(session.id, state, true), 200, { etag, 'cache-control': 'no-cache' })
      }),
  },
  '/api/sessions/:id/blobs/:sha256': {
    GET: async (request, param) => readBlob(server, request, toSessionId(param('id')), param('sha256')),
  },
})

function fromCursor(cursor: string): number {
  const text = /^s(\d{1,15})$/.exec(cursor)?.[1]
  if (text) return Number(text)
  throw bad('This cursor is not one of ours.', 'Use `next` of the page before, or start with `after`.')
}

/** By seq, or by id: branch events through the tree, ledger events by looking back from the newest. */
async function findEvent(session: Session, text: string): Promise<Event | undefined> {
  if (/^\d{1,15}$/.test(text)) {
    const seq = Number(text)
    return seq <= session.durable() ? (await session.read(seq, seq))[0] : undefined
  }
  const id = eventId.safeParse(text)
  if (!id.success) return undefined
  const node = findNode(session.state(), id.data)
  if (node) return (await session.read(node.seq, node.seq))[0]
  for (let to = session.durable(); to >= 0; to -= 500) {
    const found = (await session.read(Math.max(0, to - 499), to)).find((event) => event.id === id.data)
    if (found) return found
  }
  return undefined
}

/** The longest answer to one range request; the answer says which bytes it holds. */
const rangeLimit = 8 * 1024 * 1024

async function readBlob(server: Server, request: Request, id: ReturnType<typeof toSessionId>, sha256: string) {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw bad('This is not a SHA-256.', 'Give 64 hexadecimal digits.')
  const blobs = await server.sessions.blobs(id)
  const headers = {
    etag: `"${sha256}"`,
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
  }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.get('range') ?? '') ?? []
  // A range that we do not understand may be ignored: the whole is a right answer.
  if (first === undefined) return new Response(toBody(await blobs.get(sha256)), { headers })
  const offset = Number(first)
  const wanted = last ? Number(last) - offset + 1 : rangeLimit
  const bytes =
    wanted > 0 ? await blobs.get(sha256, { offset, length: Math.min(wanted, rangeLimit) }) : new Uint8Array()
  if (bytes.byteLength === 0) {
    throw bad('The range lies outside the blob.', 'Ask from a lower offset.', { status: 416 })
  }
  const range = `bytes ${offset}-${offset + bytes.byteLength - 1}/*`
  return new Response(toBody(bytes), { status: 206, headers: { ...headers, 'content-range': range } })
}

/** Fetch's types want bytes over a plain buffer; a Blobs adapter never shares memory. */
const toBody = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>
