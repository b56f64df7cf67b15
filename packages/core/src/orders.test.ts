// What a person orders while a session runs: steer, queue, withdraw, interrupt, pause, answers that come late.
import { status } from '@tenon/projections'
import type { Event } from '@tenon/protocol'
import { createMemoryLog, createStage, logProblems, outline, type Stage } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'

const call = (name: string, key: string, ms = 100, file = key) => ({ name, input: { key, file, ms } })
const ofType = async <T extends Event['type']>(stage: Stage, type: T) =>
  (await stage.events()).filter((event): event is Extract<Event, { type: T }> => event.type === type)
const statuses = async (stage: Stage) => (await ofType(stage, 'tool.finished')).map(({ status }) => status)
const outcomes = async (stage: Stage) => (await ofType(stage, 'run.ended')).map(({ outcome }) => outcome)
/** Every run asked a model at least once. */
const emptyRuns = async (stage: Stage): Promise<number> => {
  const events = await stage.events()
  return events.filter(
    (event, i) =>
      event.type === 'run.started' &&
      !events
        .slice(
          i,
          events.findIndex((end) => end.type === 'run.ended' && end.run === event.id),
        )
        .some(({ type }) => type === 'model.started'),
  ).length
}
const lawful = async (stage: Stage) => logProblems(await stage.events(), stage.session.state())

describe('11: messages that come while calls run', () => {
  test('11: a steer in a batch of three: the running call ends, the rest is skipped, the next request has the message', async () => {
    const calls = [call('Edit', 'e1', 100, 'f'), call('Edit', 'e2', 100, 'f'), call('Edit', 'e3', 100, 'f')]
    const stage = await createStage({ replies: [{ calls }, { text: 'other way' }] })
    await stage.send('do three')
    await stage.until('tool.started')
    await stage.send('stop, look at g')
    await stage.rest()
    expect(await statuses(stage)).toEqual(['cancelled', 'cancelled', 'ok'])
    expect([...stage.world.runs.keys()]).toEqual(['e1'])
    expect(outline(stage.model.requests[1])).toEqual([
      'user do three',
      'assistant <Edit> | <Edit> | <Edit>',
      'tool Edit:ok Edit:cancelled Edit:cancelled',
      'user stop, look at g',
    ])
    expect([await outcomes(stage), await emptyRuns(stage), await lawful(stage)]).toEqual([['done'], 0, []])
  })

  test('11: a queued message: all three run, the turn ends, then it comes', async () => {
    const calls = [call('Edit', 'e1'), call('Edit', 'e2'), call('Edit', 'e3')]
    const stage = await createStage({ replies: [{ calls }, { text: 'three done' }, { text: 'and that' }] })
    await stage.send('do three')
    await stage.until('tool.started')
    await stage.send('then this', { delivery: 'queue' })
    await stage.send('and then that', { delivery: 'queue' })
    stage.model.push({ text: 'last' })
    await stage.rest()
    expect(await statuses(stage)).toEqual(['ok', 'ok', 'ok'])
    expect(stage.model.requests.map((request) => outline(request).at(-1))).toEqual([
      'user do three',
      'tool Edit:ok Edit:ok Edit:ok',
      'user then this',
      'user and then that',
    ])
    expect([await outcomes(stage), await emptyRuns(stage)]).toEqual([['done'], 0])
  })

  test('11: a withdrawn message is never in a request', async () => {
    const stage = await createStage({ replies: [{ calls: [call('Edit', 'e1')] }, { text: 'done' }] })
    await stage.send('go')
    await stage.until('tool.started')
    await stage.send('xyzzy', { delivery: 'queue' })
    const queued = stage.session.state().queue[0]?.id ?? 'ev_none'
    expect(await stage.command({ command: 'withdraw', queued })).toMatchObject({ accepted: true })
    await stage.rest()
    expect(JSON.stringify(stage.model.requests)).not.toContain('xyzzy')
    expect(await emptyRuns(stage)).toBe(0)
  })

  test('an asked call is closed by a steer, its ask with it', async () => {
    const stage = await createStage({
      open: { mode: 'default' },
      replies: [{ calls: [call('Edit', 'e1')] }, { text: 'ok' }],
    })
    await stage.send('edit')
    await stage.until('ask.opened')
    await stage.send('never mind')
    await stage.rest()
    expect(await ofType(stage, 'ask.closed')).toMatchObject([{ how: 'cancelled' }])
    expect(await statuses(stage)).toEqual(['cancelled'])
  })
})

test('12: `send` around the last reply, 1,000 interleavings: answered once, never left idle', {
  timeout: 60_000,
}, async () => {
  const problems: string[] = []
  for (let i = 0; i < 1_000; i++) {
    const log = createMemoryLog('ses_stage')
    const stage = await createStage({ log, replies: [{ text: 'one' }, { text: 'two' }] })
    if (i & 4) log.hold()
    const first = stage.send('first')
    for (let tick = 0; tick < i >> 3; tick++) await Promise.resolve()
    const second = stage.send('second', { delivery: i & 1 ? 'queue' : 'steer', ...(i & 2 && { id: 'again' }) })
    if (i & 2) void stage.send('second', { delivery: i & 1 ? 'queue' : 'steer', id: 'again' })
    log.unhold()
    await Promise.all([first, second])
    await stage.rest()
    const shown = outline(stage.model.requests.at(-1))
      .filter((line) => line.startsWith('user'))
      .join(' ')
    const times = (word: string) => shown.split(word).length - 1
    const { queue, requests, last } = stage.session.state()
    if (times('first') !== 1 || times('second') !== 1) problems.push(`${i}: the last request shows "${shown}"`)
    if (queue.length > 0 || requests.length > 0 || last?.outcome !== 'done') problems.push(`${i}: left idle`)
    if ((await emptyRuns(stage)) > 0) problems.push(`${i}: an empty run`)
  }
  expect(problems).toEqual([])
})

describe('42: orders around the start of a run', () => {
  test('42: a steer that is delivered in the running run leaves no empty run', async () => {
    const stage = await createStage({ replies: [{ calls: [call('Read', 'r')] }, { text: 'done' }] })
    await stage.send('go')
    await stage.until('tool.started')
    await stage.send('more')
    await stage.rest()
    await stage.quiet()
    expect([(await ofType(stage, 'run.started')).length, await outcomes(stage)]).toEqual([1, ['done']])
  })

  test.each([
    ['interrupt', 'interrupted'],
    ['pause', 'paused'],
  ] as const)(
    '42: %s before the run started: it names the wish, no run.ended follows, the message stays',
    async (command, how) => {
      const log = createMemoryLog('ses_stage')
      const stage = await createStage({ log })
      // A wish that its owner never got to: the next one finds it, and is told to stop in the same moment.
      const run = await log.claim({ takeOver: true })
      const { seq } = stage.session.state()
      const stamp = { v: 1, at: 1, by: 'person' } as const
      await run.append([
        {
          ...stamp,
          seq: seq + 1,
          id: 'ev_q',
          type: 'message.queued',
          parts: [{ type: 'text', text: 'go' }],
          delivery: 'steer',
        },
        { ...stamp, seq: seq + 2, id: 'ev_r', type: 'run.requested', reason: 'send', queued: 'ev_q' },
        { ...stamp, seq: seq + 3, id: 'ev_s', type: 'run.stopping', request: 'ev_r', how: command },
      ])
      await stage.reopen()
      await stage.rest()
      expect(stage.session.state()).toMatchObject({ queue: [{ id: 'ev_q' }], requests: [], halted: command })
      expect([await outcomes(stage), status(stage.session.state(), true)]).toEqual([[], how])
      stage.model.push({ text: 'hello' })
      await stage.command({ command: 'run' })
      await stage.rest()
      expect([await outcomes(stage), status(stage.session.state(), true)]).toEqual([['done'], 'done'])
    },
  )
})

describe('interrupt', () => {
  test('mid-stream: the reply is kept as far as it got', async () => {
    const stage = await createStage({ replies: [{ text: 'I began to', hang: true }] })
    await stage.send('tell')
    await stage.quiet()
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    const [, reply] = await ofType(stage, 'message.added')
    expect(reply).toMatchObject({ finish: 'interrupted', parts: [{ type: 'text', text: 'I began to' }] })
    expect([await outcomes(stage), await lawful(stage)]).toEqual([['interrupted'], []])
  })

  test('mid-stream: whole calls stay and are cancelled, so that the next request is valid', async () => {
    const stage = await createStage({ replies: [{ text: 'so', calls: [call('Edit', 'e')], hang: true }] })
    await stage.send('edit')
    await stage.quiet()
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    stage.model.push({ text: 'ok' })
    await stage.send('go on')
    await stage.rest()
    expect([await statuses(stage), stage.world.runs.size]).toEqual([['cancelled'], 0])
    expect(outline(stage.model.requests.at(-1))).toEqual([
      'user edit',
      'assistant so | <Edit>',
      'tool Edit:cancelled',
      'user go on',
    ])
  })

  test('before the first word: the attempt is cancelled, no message', async () => {
    const stage = await createStage()
    await stage.send('tell')
    await stage.quiet()
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    expect(await ofType(stage, 'model.failed')).toMatchObject([{ failure: { class: 'cancelled' } }])
    expect([(await ofType(stage, 'message.added')).length, await outcomes(stage)]).toEqual([1, ['interrupted']])
  })

  test('mid-tool: the tool is aborted and its call cancelled; its sibling never starts; the queue stays', async () => {
    const calls = [call('Edit', 'e1', 5_000, 'f'), call('Edit', 'e2', 10, 'f')]
    const stage = await createStage({ replies: [{ calls }] })
    await stage.send('edit')
    await stage.until('tool.started')
    await stage.send('later', { delivery: 'queue' })
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    expect([await statuses(stage), await outcomes(stage), stage.now()]).toEqual([
      ['cancelled', 'cancelled'],
      ['interrupted'],
      1_000_000,
    ])
    expect(stage.session.state().queue).toHaveLength(1)
    expect([...stage.world.runs.keys()]).toEqual(['e1'])
  })

  test('34: a tool that ignores it does not hold the run: its call is closed unknown after the grace', async () => {
    const stage = await createStage({ replies: [{ calls: [call('Slow', 's', 5_000)] }] })
    await stage.send('wait')
    await stage.until('tool.started')
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    expect([await statuses(stage), await outcomes(stage), stage.now() - 1_000_000]).toEqual([
      ['unknown'],
      ['interrupted'],
      8_000,
    ])
    await stage.quiet()
    expect([await statuses(stage), await lawful(stage)]).toEqual([['unknown'], []])
  })

  test('while a retry is waited for', async () => {
    const stage = await createStage({ replies: [{ fail: { class: 'overloaded' } }] })
    await stage.send('go')
    await stage.until('model.failed')
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    expect(await outcomes(stage)).toEqual(['interrupted'])
    expect(await stage.advance()).toBe(false)
  })
})

describe('pause', () => {
  test('what runs comes in, the rest stays; `run` goes on with it and asks the model nothing new before', async () => {
    const calls = [call('Edit', 'e1', 100, 'f'), call('Edit', 'e2', 100, 'f')]
    const stage = await createStage({ replies: [{ calls }, { text: 'done' }] })
    await stage.send('edit')
    await stage.until('tool.started')
    await stage.command({ command: 'pause' })
    await stage.rest()
    expect([await statuses(stage), await outcomes(stage), stage.model.requests.length]).toEqual([['ok'], ['paused'], 1])
    await stage.command({ command: 'run' })
    await stage.rest()
    expect([await statuses(stage), await outcomes(stage), [...stage.world.runs]]).toEqual([
      ['ok', 'ok'],
      ['paused', 'done'],
      [
        ['e1', 1],
        ['e2', 1],
      ],
    ])
  })

  test('13: paused at an ask, the process gone, answered from another one: that call alone runs, no extra request', async () => {
    const calls = [call('Edit', 'e1'), call('Read', 'r1')]
    const stage = await createStage({ open: { mode: 'default' }, replies: [{ calls }, { text: 'done' }] })
    await stage.send('edit and read')
    await stage.until('tool.finished')
    await stage.command({ command: 'pause' })
    await stage.rest()
    await stage.close()
    await stage.reopen()
    const [ask] = stage.session.state().asks
    expect([await outcomes(stage), ask?.kind]).toEqual([['paused'], 'permission'])
    await stage.command({ command: 'answer', ask: ask?.id ?? 'ev_none', options: ['allow'] })
    await stage.rest()
    expect([[...stage.world.runs], stage.model.requests.length, await outcomes(stage)]).toEqual([
      [
        ['r1', 1],
        ['e1', 1],
      ],
      2,
      ['paused', 'done'],
    ])
    expect(await lawful(stage)).toEqual([])
  })

  test('13: with --on-ask stop the run ends asked; the answer days later runs the call', async () => {
    const stage = await createStage({
      open: { mode: 'default' },
      onAsk: 'stop',
      replies: [{ calls: [call('Edit', 'e1')] }, { text: 'done' }],
    })
    await stage.send('edit')
    await stage.rest()
    expect(await outcomes(stage)).toEqual(['asked'])
    const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
    await stage.command({ command: 'answer', ask, options: ['allow'], input: { key: 'other', file: 'b', ms: 5 } })
    await stage.rest()
    expect([[...stage.world.runs.keys()], await outcomes(stage), stage.model.requests.length]).toEqual([
      ['other'],
      ['asked', 'done'],
      2,
    ])
  })

  test('13: an owner that leaves a run resting at an ask ends it asked', async () => {
    const stage = await createStage({ open: { mode: 'default' }, replies: [{ calls: [call('Edit', 'e1')] }] })
    await stage.send('edit')
    await stage.until('ask.opened')
    await stage.close()
    expect([await outcomes(stage), await statuses(stage)]).toEqual([['asked'], []])
  })
})

describe('28: nobody answers', () => {
  test('28: with --on-ask deny the call is denied, the model is told, the run goes on and lists the denial', async () => {
    const stage = await createStage({
      open: { mode: 'default' },
      onAsk: 'deny',
      replies: [{ calls: [call('Edit', 'e1'), call('Read', 'r1')] }, { text: 'done without' }],
    })
    await stage.send('edit')
    await stage.rest()
    expect([(await statuses(stage)).sort(), await outcomes(stage)]).toEqual([['denied', 'ok'], ['done']])
    expect(outline(stage.model.requests.at(-1)).at(-1)).toBe('tool Edit:denied Read:ok')
    expect(await ofType(stage, 'run.ended')).toMatchObject([{ denials: [{ tool: 'Edit' }] }])
  })

  test('28: somebody who leaves turns waiting asks into denials', async () => {
    const stage = await createStage({
      open: { mode: 'default' },
      onAsk: 'deny',
      replies: [{ calls: [call('Edit', 'e1')] }, { text: 'done without' }],
    })
    const leave = stage.attach()
    await stage.send('edit')
    await stage.until('ask.opened')
    expect(stage.session.state().asks).toHaveLength(1)
    leave()
    await stage.rest()
    expect([await statuses(stage), await outcomes(stage)]).toEqual([['denied'], ['done']])
  })

  test('a question without anybody: the model decides itself', async () => {
    const stage = await createStage({
      onAsk: 'deny',
      replies: [{ calls: [call('AskUserQuestion', 'q')] }, { text: 'I take a' }],
    })
    await stage.send('which?')
    await stage.rest()
    expect(await ofType(stage, 'tool.finished')).toMatchObject([{ status: 'error', content: [{ code: 'ask_none' }] }])
  })
})
