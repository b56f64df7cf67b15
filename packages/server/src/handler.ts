// The server as a function from Request to Response: local mode calls it directly, a socket serves it.
import type { Clock } from '@tenon/core'
import { createIdGenerator, type ErrorCode, TenonError } from '@tenon/protocol'
import { Hono } from 'hono/tiny'
import { problemResponse, toProblem } from './problem.ts'
import type { Registry } from './registry.ts'
import { commandRoutes } from './routes/commands.ts'
import { eventRoutes } from './routes/events.ts'
import { inboxRoutes } from './routes/inbox.ts'
import type { Routes, Server } from './routes/route.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { streamRoutes } from './routes/stream.ts'

export interface HandlerOptions {
  readonly sessions: Registry
  readonly info: { readonly version: string; readonly pid?: number }
  readonly clock: Clock
  /** Who sends the commands, where the transport proves it: the OS user behind a 0600 socket. */
  readonly actor?: string
  /** Told of every bug with the id that its answer carries. */
  readonly report?: (errorId: string, error: unknown) => void
  /** Aborts when the process shuts down: streams say `bye draining`. */
  readonly drain?: AbortSignal
}

export type Handler = (request: Request) => Promise<Response>

/** Never rejects: every failure is answered as problem JSON. Does no work until the first request. */
export function createHandler(options: HandlerOptions): Handler {
  const { clock, report } = options
  const nextId = createIdGenerator(
    () => clock.now(),
    () => clock.random(),
  )
  const toAnswerProblem: Server['problem'] = (error, status) => {
    const errorId = `err_${nextId()}`
    if (!(error instanceof TenonError)) report?.(errorId, error)
    return toProblem(error, status === undefined ? { errorId } : { errorId, status })
  }
  const server: Server = {
    sessions: options.sessions,
    info: options.info,
    clock,
    startedAt: clock.now(),
    actor: options.actor,
    drain: options.drain ?? new AbortController().signal,
    problem: toAnswerProblem,
  }
  const app = new Hono()
  for (const routes of [sessionRoutes, commandRoutes, eventRoutes, streamRoutes, inboxRoutes])
    mount(app, routes(server))
  app.notFound((c) => problemResponse(toAnswerProblem(routeError('not_found', `There is no ${c.req.path}.`))))
  app.onError((error) => problemResponse(toAnswerProblem(error)))
  return async (request) => app.fetch(request)
}

function mount(app: Hono, routes: Routes): void {
  for (const [path, methods] of Object.entries(routes)) {
    for (const [method, answer] of Object.entries(methods)) {
      app.on(method, path, (c) => answer(c.req.raw, (name) => c.req.param(name) ?? ''))
    }
    const allow = Object.keys(methods).join(', ')
    app.all(path, (c) => {
      throw routeError('method_not_allowed', `${c.req.method} is not allowed here; ${allow} is.`, { allow })
    })
  }
}

const routeError = (code: ErrorCode, message: string, facts: Record<string, unknown> = {}): TenonError =>
  new TenonError({ code, message, action: 'Check the path and the method against the route list of the docs.' }, facts)
