// RING 1.1 and law O: what leaves the process waits until what it was decided on is durable; a lost tip is gone.
import type { Outcome } from '@tenon/protocol'
import { createMemoryLog, createStage, type Stage, type StageOptions } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'

const edit = (key: string, file = 'a', ms = 10) => ({ name: 'Edit', input: { key, file, ms } })

/** What a promise says once everything that could run has run. */
async function now<T>(stage: Stage, promise: Promise<T>): Promise<T | 'pending' | { thrown: unknown }> {
  const said = promise.catch((error: unknown) => ({ thrown: error }))
  await stage.settle()
  return Promise.race([said, new Promise<'pending'>((resolve) => setImmediate(() => resolve('pending')))])
}

/** A session at an ask for an edit. */
async function atAsk(options: StageOptions = {}) {
  const log = createMemoryLog('ses_stage')
  const stage = await createStage({ log, open: { mode: 'default' }, replies: [{ calls: [edit('e1')] }], ...options })
  await stage.send('edit a')
  await stage.until('ask.opened')
  const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
  const answer = (id: string, option = 'allow'): Promise<Outcome> => {
    const outcome = stage.command({ id, command: 'answer', ask, options: [option] })
    // Looked at later: until then a rejection is nobody's.
    outcome.catch(() => undefined)
    return outcome
  }
  return { log, stage, ask, answer }
}

const closings = async (stage: Stage) =>
  (await stage.events()).flatMap((event) => (event.type === 'ask.closed' ? [event.cause] : []))

describe('39: two answers to one ask, power held back', () => {
  test('39: before the sync neither was told anything; after it A is accepted and B refused', async () => {
    const { log, stage, answer } = await atAsk()
    log.hold()
    const [a, b] = [answer('A'), answer('B', 'deny')]
    expect([await now(stage, a), await now(stage, b)]).toEqual(['pending', 'pending'])
    expect(stage.world.runs.size).toBe(0)
    log.unhold()
    expect(await a).toMatchObject({ accepted: true })
    expect(await b).toMatchObject({ accepted: false, refusal: { code: 'ask_closed' } })
    await stage.until('tool.finished')
    expect(await closings(stage)).toEqual(['A'])
    expect([...stage.world.runs]).toEqual([['e1', 1]])
  })

  test('39: power fails before the sync: nobody was told, the ask is open, and the next answer counts', async () => {
    const { log, stage, ask, answer } = await atAsk()
    log.hold()
    const [a, b] = [answer('A'), answer('B', 'deny')]
    await stage.settle()
    await stage.crash()
    expect([await now(stage, a), await now(stage, b)]).toEqual(['pending', 'pending'])
    await stage.reopen()
    expect(await closings(stage)).toEqual([])
    expect(stage.session.state().asks).toMatchObject([{ id: ask }])
    expect(await answer('C')).toMatchObject({ accepted: true })
    stage.model.push({ text: 'done' })
    await stage.rest()
    expect(await closings(stage)).toEqual(['C'])
    expect([...stage.world.runs]).toEqual([['e1', 1]])
  })

  test('39: a refusal that rests on nothing undurable is told at once', async () => {
    const { log, stage } = await atAsk()
    log.hold()
    const late = stage.command({ command: 'answer', ask: 'ev_gone', options: [] })
    expect(await now(stage, late)).toMatchObject({ accepted: false, refusal: { code: 'ask_closed' } })
  })
})

describe('39: a failed sync', () => {
  test('39: the same lines are written again, and nothing is decided twice', async () => {
    const { log, stage, answer } = await atAsk()
    log.failSyncs(3)
    expect(await answer('A')).toMatchObject({ accepted: true })
    stage.model.push({ text: 'done' })
    await stage.rest()
    const events = await stage.events()
    expect(await closings(stage)).toEqual(['A'])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
    expect([...stage.world.runs]).toEqual([['e1', 1]])
  })

  test('39: one that does not get better ends the session: the command is refused with it, and nothing ran', async () => {
    const { log, stage, answer } = await atAsk()
    log.failSyncs(99)
    expect(await now(stage, answer('A'))).toMatchObject({ thrown: { code: 'storage_failed' } })
    expect(await now(stage, stage.send('more'))).toMatchObject({ thrown: { code: 'storage_failed' } })
    await stage.quiet()
    expect(stage.world.runs.size).toBe(0)
    expect(await closings(stage)).toEqual([])
  })
})

describe('39: a lost lease', () => {
  test('39: the tip is discarded, commands reject, and nothing of it runs', async () => {
    const { log, stage, answer } = await atAsk()
    log.hold()
    const a = answer('A')
    await stage.settle()
    log.loseLease()
    log.unhold()
    expect(await now(stage, a)).toMatchObject({ thrown: { code: 'lease_lost' } })
    expect(await now(stage, stage.send('more'))).toMatchObject({ thrown: { code: 'lease_lost' } })
    await stage.quiet()
    expect([await closings(stage), stage.world.runs.size]).toEqual([[], 0])
    await expect(stage.session.rest(new AbortController().signal)).rejects.toMatchObject({ code: 'lease_lost' })
    const { asks } = stage.session.state()
    expect(asks).toHaveLength(1)
  })

  test('39: a refusal that was decided on the lost tip is never told', async () => {
    const { log, stage, answer } = await atAsk()
    log.hold()
    const [a, b] = [answer('A'), answer('B')]
    await stage.settle()
    log.loseLease()
    log.unhold()
    expect([await now(stage, a), await now(stage, b)]).toMatchObject([
      { thrown: { code: 'lease_lost' } },
      { thrown: { code: 'lease_lost' } },
    ])
  })
})

describe('write-ahead', () => {
  test('a tool runs only once its start is durable', async () => {
    const { log, stage, answer } = await atAsk()
    log.hold()
    const said = answer('A')
    await stage.quiet()
    expect(stage.world.runs.size).toBe(0)
    log.unhold()
    await said
    stage.model.push({ text: 'done' })
    await stage.rest()
    expect([...stage.world.runs]).toEqual([['e1', 1]])
  })

  test('the model is asked only once its attempt is durable', async () => {
    const log = createMemoryLog('ses_stage')
    const stage = await createStage({ log, replies: [{ text: 'hello' }] })
    log.hold()
    const sent = stage.send('hi')
    await stage.quiet()
    expect(stage.model.requests).toEqual([])
    log.unhold()
    expect(await sent).toMatchObject({ accepted: true })
    await stage.rest()
    expect(stage.model.requests).toHaveLength(1)
  })

  test('readers see nothing that is not durable', async () => {
    const log = createMemoryLog('ses_stage')
    const stage = await createStage({ log })
    const before = stage.session.durable()
    log.hold()
    void stage.send('hi', { run: false })
    await stage.settle()
    expect([stage.session.durable(), stage.session.state().queue, await stage.session.read(before + 1, 999)]).toEqual([
      before,
      [],
      [],
    ])
    log.unhold()
    await stage.settle()
    expect(await stage.session.read(before + 1, 999)).toMatchObject([{ type: 'message.queued' }])
  })
})
