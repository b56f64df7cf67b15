// RING 1.5: recovery is appended by the opener, once; ordinary events; then the session goes on. And RING 1.6: repeats.
import { emptyRun } from '@tenon/projections'
import type { Command } from '@tenon/protocol'
import { callOf, createMemoryLog, createStage, given, logProblems, outline, type Stage } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { recover } from './recover.ts'

const bash = (key: string, ms = 1_000) => ({ name: 'Bash', input: { key, file: 'a', ms } })
const read = (key: string, file = 'b') => ({ name: 'Read', input: { key, file, ms: 10 } })
const types = async (stage: Stage, after: number) =>
  (await stage.events()).flatMap((event) => (event.seq > after ? [event.type] : []))

describe('the group', () => {
  test('nothing orphaned: nothing', () => {
    expect(recover(emptyRun, 1, 0)).toEqual([])
    const log = given()
    log.run('go')
    log.reply(['done'])
    log.add({
      type: 'run.ended',
      by: 'harness',
      run: log.state.run?.id ?? 'ev_none',
      outcome: 'done',
      row: 'done',
      turns: 1,
      ms: 0,
      usage: log.state.spent.usage,
      cost: { nanoUsd: 0, source: 'catalogue' },
      denials: [],
    })
    log.queue('later', 'queue')
    expect(recover(log.state, 1, 0)).toEqual([])
  })

  test('in order: started calls unknown, unstarted ones cancelled, asked ones left, attempts failed, the run ended', () => {
    const log = given()
    log.run('go')
    log.reply(['a', 'b', 'c', 'd'].map((id) => callOf(id, 'Read')))
    log.judge('a')
    log.start('a')
    log.judge('b')
    log.judge('c', { verdict: 'ask' })
    const { ref } = log.call('c')
    log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    const drafts = recover(log.state, log.now + 70, 0.5)
    expect(drafts).toMatchObject([
      { type: 'tool.finished', ref: { call: 'a' }, status: 'unknown' },
      { type: 'tool.finished', ref: { call: 'b' }, status: 'cancelled' },
      { type: 'tool.finished', ref: { call: 'd' }, status: 'cancelled' },
      { type: 'run.ended', outcome: 'failed', row: 'recover', ms: 70, failure: { code: 'crashed' } },
    ])
    log.add(...drafts)
    expect(log.state.batch?.calls.map(({ state }) => state)).toEqual(['done', 'done', 'asked', 'done'])
    expect(recover(log.state, log.now, 0)).toEqual([])
  })

  test('an open attempt is interrupted, with the die that was rolled', () => {
    const log = given()
    log.run('go')
    log.attempt()
    const drafts = recover(log.state, log.now, 0.25)
    expect(drafts).toMatchObject([
      { type: 'model.failed', roll: 0.25, failure: { class: 'interrupted' } },
      { type: 'run.ended' },
    ])
  })

  test('a clock that went back gives no negative time', () => {
    const log = given()
    log.wait(5_000)
    log.run('go')
    expect(recover(log.state, 10, 0)).toMatchObject([{ type: 'run.ended', ms: 0 }])
  })
})

describe('41: reopen', () => {
  test('41: over an open run: one recovery group a token, the second empty; "go on" works and the lost call is unknown', async () => {
    const stage = await createStage({ replies: [{ calls: [bash('lost')] }] })
    await stage.send('run it')
    const { seq } = await stage.until('tool.started')
    await stage.crash()
    await stage.reopen()
    expect(await types(stage, seq)).toEqual(['tool.finished', 'run.ended'])
    expect((await stage.events()).at(-2)).toMatchObject({ status: 'unknown' })
    const end = stage.session.durable()
    await stage.crash()
    await stage.reopen()
    expect([stage.session.durable(), stage.lease.token]).toEqual([end, 3])
    stage.model.push({ text: 'I see' })
    await stage.send('go on')
    await stage.rest()
    expect(stage.session.state().last).toMatchObject({ outcome: 'done' })
    expect([...stage.world.runs]).toEqual([['lost', 1]])
    expect(stage.model.requests.at(-1)?.messages.at(-2)).toMatchObject({
      role: 'tool',
      results: [{ status: 'unknown' }],
    })
    expect(logProblems(await stage.events(), stage.session.state())).toEqual([])
  })

  test('41, F: opening a finished session appends nothing and runs nothing', async () => {
    const stage = await createStage({ replies: [{ calls: [bash('once'), read('r')] }, { text: 'done' }] })
    await stage.send('run it')
    await stage.rest()
    const end = stage.session.durable()
    const [runs, requests] = [new Map(stage.world.runs), stage.model.requests.length]
    for (let i = 0; i < 3; i++) {
      await stage.crash()
      await stage.reopen()
      await stage.quiet()
    }
    expect([stage.session.durable(), stage.world.runs, stage.model.requests.length]).toEqual([end, runs, requests])
  })

  test('41: a takeover ends the older owner; the newer one’s run is untouched by it', async () => {
    const stage = await createStage({ replies: [{ calls: [bash('lost', 500)] }] })
    await stage.send('run it')
    await stage.until('tool.started')
    const old = stage.session
    await stage.reopen()
    stage.model.push({ calls: [bash('new', 900)] }, { text: 'done' })
    await stage.send('again')
    await stage.rest()
    const events = await stage.events()
    expect(events.flatMap((event) => (event.type === 'run.ended' ? [event.outcome] : []))).toEqual(['failed', 'done'])
    await expect(old.command({ command: 'run' }, {})).rejects.toMatchObject({ code: 'lease_lost' })
    expect(logProblems(events, stage.session.state())).toEqual([])
  })

  test('a new build is written down, so that the context is set anew', async () => {
    const stage = await createStage({ replies: [{ text: 'one' }, { text: 'two' }] })
    await stage.send('hi')
    await stage.rest()
    await stage.crash()
    await stage.reopen({ build: 'b2' })
    await stage.send('again')
    await stage.rest()
    const sets = (await stage.events()).flatMap((event) =>
      event.type === 'context.set' ? [[event.build, event.reason]] : [],
    )
    expect(sets).toEqual([
      ['b1', 'first request'],
      ['b2', 'model or build changed'],
    ])
  })

  test('a message that came during a run that died is answered by the next owner, without anybody asking again', async () => {
    const stage = await createStage({ replies: [{ calls: [bash('lost')] }] })
    await stage.send('run it')
    await stage.until('tool.started')
    await stage.send('and tell me', { delivery: 'queue' })
    await stage.crash()
    stage.model.push({ text: 'it was cut' }, { text: 'told' })
    await stage.reopen()
    await stage.rest()
    expect([outline(stage.model.requests.at(-1)).at(-1), stage.session.state().last?.outcome]).toEqual([
      'user and tell me',
      'done',
    ])
  })

  test('a message that a dead owner never delivered is delivered by the next run', async () => {
    const log = createMemoryLog('ses_stage')
    const stage = await createStage({ log })
    const first = stage.send('first')
    await first
    log.hold()
    await stage.crash()
    await stage.reopen()
    stage.model.push({ text: 'hello' }, { text: 'again' })
    await stage.send('second')
    await stage.rest()
    expect(outline(stage.model.requests.at(-1))).toEqual(['user first | second'])
    expect(stage.session.state()).toMatchObject({ queue: [], requests: [], last: { outcome: 'done' } })
  })
})

describe('commands that come again', () => {
  const say = (id: string, text = 'hi'): Command => ({
    id,
    command: 'send',
    parts: [{ type: 'text', text }],
    run: false,
  })
  const count = async (stage: Stage) => (await stage.events()).filter(({ type }) => type === 'message.queued').length

  test('the same id and body: the same outcome, also while the first is under way; nothing is appended twice', async () => {
    const stage = await createStage()
    const [first, second] = await Promise.all([stage.command(say('c1')), stage.command(say('c1'))])
    expect(second).toEqual(first)
    expect(await stage.command(say('c1'))).toEqual(first)
    expect(await count(stage)).toBe(1)
  })

  test('a refusal is repeated too, though it would be accepted by now', async () => {
    const stage = await createStage()
    const run: Command = { id: 'r', command: 'run' }
    expect(await stage.command(run)).toMatchObject({ refusal: { code: 'nothing_to_run' } })
    await stage.command(say('c1'))
    expect(await stage.command(run)).toMatchObject({ refusal: { code: 'nothing_to_run' } })
  })

  test('another body under the id: idempotency_mismatch', async () => {
    const stage = await createStage()
    await stage.command(say('c1'))
    expect(await stage.command(say('c1', 'other'))).toMatchObject({ refusal: { code: 'idempotency_mismatch' } })
    expect(await count(stage)).toBe(1)
  })

  test('41: after a restart: accepted if it is a cause in the log, else decided afresh', async () => {
    const stage = await createStage()
    await stage.command(say('c1'))
    expect(await stage.command({ id: 'w', command: 'withdraw', queued: 'ev_gone' })).toMatchObject({ accepted: false })
    await stage.crash()
    await stage.reopen()
    expect(await stage.command(say('c1'))).toEqual({ accepted: true, seq: null })
    expect(await stage.command({ id: 'w', command: 'withdraw', queued: 'ev_gone' })).toMatchObject({
      refusal: { code: 'unknown_message' },
    })
    expect(await stage.command(say('c2'))).toMatchObject({
      accepted: true,
      seq: [expect.any(Number), expect.any(Number)],
    })
    expect(await count(stage)).toBe(2)
  })

  test('without an id nothing is remembered', async () => {
    const stage = await createStage()
    const { id: _, ...plain } = say('c')
    await stage.command(plain as Command)
    await stage.command(plain as Command)
    expect(await count(stage)).toBe(2)
  })

  test('a dry run appends nothing, says what would be, and leaves its id free', async () => {
    const stage = await createStage()
    const end = stage.session.durable()
    const dry = await stage.command({ ...say('d'), dryRun: true } as Command)
    expect(dry).toMatchObject({
      accepted: true,
      seq: null,
      events: [{ type: 'message.queued', cause: 'd', client: 'stage' }],
    })
    expect(stage.session.durable()).toBe(end)
    expect(await stage.command(say('d'))).toMatchObject({ accepted: true, seq: [end + 1, end + 1] })
  })

  test('41: an empty log refuses all but open', async () => {
    const stage = await createStage({ opens: false })
    expect(await stage.send('hi')).toMatchObject({ refusal: { code: 'not_open' } })
    expect(stage.session.durable()).toBe(-1)
    expect(await stage.command({ command: 'open', cwd: '/w' })).toMatchObject({ accepted: true, seq: [0, 1] })
  })
})
