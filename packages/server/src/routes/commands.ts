// The one way to change a session: POST a command; accepted with its place in the log, or refused with a reason.

import type { Session } from '@tenon/core'
import { findNode } from '@tenon/projections'
import {
  type Command,
  type CommandReply,
  command as commandSchema,
  type Outcome,
  type Problem,
  TenonError,
} from '@tenon/protocol'
import { z } from 'zod'
import { nearest } from '../nearest.ts'
import { problemResponse } from '../problem.ts'
import { bad, flag, parseBody, parseQuery, readJson } from '../request.ts'
import { toRunView } from '../run-view.ts'
import { onSession, type Routes, reply, type Server, senderOf } from './route.ts'

const waitLimit = 600

export const commandRoutes = (server: Server): Routes => ({
  '/api/sessions/:id/commands': {
    POST: (request, param) => answerCommand(server, request, param('id')),
  },
})

async function answerCommand(server: Server, request: Request, id: string): Promise<Response> {
  const { dry } = parseQuery(z.strictObject({ dry: flag.optional() }), request.url)
  const wait = toWait(request.headers.get('prefer'))
  const key = request.headers.get('idempotency-key')?.slice(0, 200)
  const parsed = parseCommand(await readJson(request))
  const command = {
    ...parsed,
    ...(parsed.id === undefined && key ? { id: key } : {}),
    ...(dry ? { dryRun: true } : {}),
  } as Command // Spreading a union loses its tag to the compiler, not to the value.
  return onSession(server, id, async ({ session }) => {
    const outcome = await session.command(command, senderOf(server, request))
    if (!outcome.accepted) return problemResponse(fromRefusal(server, outcome))
    if (command.command === 'close' && !command.dryRun) await server.sessions.drop(session)
    if (wait === undefined || command.dryRun || command.command === 'close') return reply(outcome)
    const { rested, ...more } = await waitForRest(server, session, wait, request.signal)
    return reply({ ...outcome, rested, ...more } satisfies CommandReply, rested ? 200 : 202)
  })
}

const names = commandSchema.options.map((option) => option.shape.command.value)

/** @throws TenonError `invalid` naming the nearest command, and as `parseBody` */
function parseCommand(body: unknown): Command {
  const name = typeof body === 'object' && body !== null && 'command' in body ? body.command : undefined
  const schema = commandSchema.options.find((option) => option.shape.command.value === name)
  // The cast joins what the options parse separately: each one is a member of the union.
  if (schema) return parseBody(schema, body) as Command
  const guess = typeof name === 'string' ? nearest(name, names) : undefined
  throw new TenonError(
    {
      code: 'invalid',
      message: name === undefined ? 'The field "command" is missing.' : 'There is no such command.',
      action: guess ? `Did you mean "${guess}"?` : `Send one of: ${names.join(', ')}.`,
    },
    { fields: [{ path: 'command', rule: `one of ${names.join(', ')}` }], ...(guess ? { nearest: guess } : {}) },
  )
}

/** Seconds of `Prefer: wait=N`. @throws TenonError `bad_request` over 600 */
function toWait(prefer: string | null): number | undefined {
  const text = prefer && /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(prefer)?.[1]
  if (!text) return undefined
  const seconds = Number(text)
  if (seconds > waitLimit)
    throw bad(`Prefer: wait is at most ${waitLimit} seconds.`, 'Wait shorter and ask again, or use the stream.')
  return seconds
}

/** Holds until the run rests, at most `seconds`. */
async function waitForRest(server: Server, session: Session, seconds: number, left: AbortSignal) {
  const limit = new AbortController()
  const timer = new AbortController()
  const stop = () => limit.abort()
  left.addEventListener('abort', stop, { once: true })
  server.clock.until(server.clock.now() + seconds * 1000, timer.signal).then(stop, () => {})
  const rested = await session.rest(limit.signal).then(
    () => !limit.signal.aborted,
    (error: unknown) => {
      if (limit.signal.aborted) return false
      throw error
    },
  )
  timer.abort()
  left.removeEventListener('abort', stop)
  const state = session.state()
  return { rested, run: toRunView(session.id, state, true), final: rested ? await finalMessage(session, state) : null }
}

/** The last reply on the active branch. */
async function finalMessage(session: Session, state: ReturnType<Session['state']>) {
  const node = state.branch.reply && findNode(state, state.branch.reply.id)
  return node ? ((await session.read(node.seq, node.seq))[0] ?? null) : null
}

/** A refusal is 409 with the command's own code, whatever that code means elsewhere. */
export function fromRefusal(server: Server, outcome: Extract<Outcome, { accepted: false }>): Problem {
  const { facts, ...failure } = outcome.refusal
  return server.problem(new TenonError(failure, { ...facts }), 409)
}
