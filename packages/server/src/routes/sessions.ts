// Health, info, and sessions as a list: open, page, look at one.
import { openBody, protocolRange, type ServerInfo } from '@tenon/protocol'
import { z } from 'zod'
import { problemResponse } from '../problem.ts'
import { flag, parseBody, parseQuery, readJson, wholeNumber } from '../request.ts'
import { toSummary } from '../run-view.ts'
import { fromRefusal } from './commands.ts'
import { onSession, type Routes, reply, type Server, senderOf } from './route.ts'

const capabilities = ['commands', 'events', 'stream', 'projections.run', 'inbox', 'blobs']

const listQuery = z.strictObject({
  limit: wholeNumber.pipe(z.int().min(1).max(100)).optional(),
  cursor: z.string().max(1000).optional(),
})

export const sessionRoutes = (server: Server): Routes => ({
  '/health/live': { GET: async () => reply({ ok: true }) },
  '/api/info': { GET: async () => reply(toInfo(server)) },
  '/api/sessions': {
    GET: async (request) => {
      const { limit = 50, cursor } = parseQuery(listQuery, request.url)
      const page = await server.sessions.list({ limit, ...(cursor === undefined ? {} : { cursor }) })
      // What lives here is newer than any stored row.
      const items = page.items.map((row) => {
        const live = server.sessions.find(row.id)
        return live ? { ...row, ...toSummary(row.id, live.session.state(), true) } : row
      })
      return reply({ items, next: page.next })
    },
    POST: async (request) => {
      const { dry } = parseQuery(z.strictObject({ dry: flag.optional() }), request.url)
      const body = parseBody(openBody, await readJson(request))
      const key = request.headers.get('idempotency-key')
      const command = {
        ...body,
        command: 'open' as const,
        ...(body.id === undefined && key ? { id: key.slice(0, 200) } : {}),
        ...(dry ? { dryRun: true } : {}),
      }
      const { session, outcome, made } = await server.sessions.open(command, senderOf(server, request))
      if (!outcome.accepted) return problemResponse(fromRefusal(server, outcome))
      return reply({ ...outcome, session: session.id }, made ? 201 : 200, { location: `/api/sessions/${session.id}` })
    },
  },
  '/api/sessions/:id': {
    GET: (_, param) =>
      onSession(server, param('id'), async ({ session }) => reply(toSummary(session.id, session.state(), true))),
  },
})

function toInfo({ info, clock, startedAt, sessions }: Server): ServerInfo {
  const uptimeMs = Math.round(clock.now() - startedAt)
  return { ...info, protocol: protocolRange, capabilities, startedAt, uptimeMs, sessions: sessions.all().length }
}
