// Open asks of every live session in one place, and many answers at once.

import type { Sender, Session } from '@tenon/core'
import { findCall } from '@tenon/projections'
import { type InboxAnswer, type InboxAsk, type InboxOutcomes, inboxAnswers, type Json } from '@tenon/protocol'
import { parseBody, readJson } from '../request.ts'
import { toAskView } from '../run-view.ts'
import { fromRefusal } from './commands.ts'
import { onSession, type Routes, reply, type Server, senderOf } from './route.ts'

const inputLimit = 64 * 1024

export const inboxRoutes = (server: Server): Routes => ({
  '/api/inbox': {
    GET: async () => reply({ items: server.sessions.all().flatMap(({ session }) => asksOf(session)) }),
  },
  '/api/inbox/answer': {
    POST: async (request) => {
      const { answers } = parseBody(inboxAnswers, await readJson(request))
      const sender = senderOf(server, request)
      return reply({ items: await Promise.all(answers.map((answer) => give(server, answer, sender))) })
    },
  },
})

function asksOf(session: Session): InboxAsk[] {
  const state = session.state()
  return state.asks.map((ask) => ({
    ...toAskView(ask),
    session: session.id,
    sessionTitle: state.settings.title,
    cwd: state.session?.cwd ?? '',
    input: bounded(ask.ref ? (findCall(state.batch, ask.ref)?.input ?? null) : null),
  }))
}

const bounded = (input: Json): Json => (JSON.stringify(input).length > inputLimit ? null : input)

/** Each answer has its own outcome: one refusal stops no other. */
async function give(server: Server, answer: InboxAnswer, sender: Sender): Promise<InboxOutcomes['items'][number]> {
  const { session: id, ...rest } = answer
  const place = { session: id, ask: answer.ask }
  try {
    const outcome = await onSession(server, id, ({ session }) =>
      session.command({ ...rest, command: 'answer' }, sender),
    )
    if (outcome.accepted) return { ...place, accepted: true, seq: outcome.seq && [...outcome.seq] }
    return { ...place, accepted: false, problem: fromRefusal(server, outcome) }
  } catch (error) {
    return { ...place, accepted: false, problem: server.problem(error) }
  }
}
