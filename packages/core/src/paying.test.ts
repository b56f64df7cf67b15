// Retries and limits in a whole session: when the next try is due, when the work is wound down, who may go on.
import type { Event } from '@tenon/protocol'
import { createStage, outline, type Stage, type StageOptions } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'

const call = (name: string, key: string, ms = 100, file = key) => ({ name, input: { key, file, ms } })
const ofType = async <T extends Event['type']>(stage: Stage, type: T) =>
  (await stage.events()).filter((event): event is Extract<Event, { type: T }> => event.type === type)
const statuses = async (stage: Stage) => (await ofType(stage, 'tool.finished')).map(({ status }) => status)
const ended = async (stage: Stage) =>
  (await ofType(stage, 'run.ended')).map(({ outcome, row }) => `${outcome} by ${row}`)
const told = async (options: StageOptions, ...texts: string[]): Promise<Stage> => {
  const stage = await createStage(options)
  for (const text of texts) {
    await stage.send(text)
    await stage.rest()
  }
  return stage
}
const hello = { text: 'done' }
const sizes = (stage: Stage) => [...stage.world.files].map(([path, bytes]) => [path, bytes.length])

describe('20, 48: retries', () => {
  const failing = (failureClass: 'rate_limit' | 'server' | 'auth', times: number, more: object = {}) =>
    Array.from({ length: times }, () => ({ fail: { class: failureClass, ...more } }))
  const starts = async (stage: Stage) => (await ofType(stage, 'model.started')).map(({ at }) => at)

  test('20: Retry-After 3 s, twice: gaps of at least 3 s, then success', async () => {
    const stage = await told(
      { replies: [...failing('rate_limit', 2, { status: 429, retryAfter: 3_000 }), hello] },
      'go',
    )
    const times = await starts(stage)
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
    expect(gaps).toEqual([3_000, 3_000])
    expect([await ended(stage), stage.model.requests.map((request) => request.try)]).toEqual([
      ['done by done'],
      [0, 1, 2],
    ])
  })

  test('20: endless: the run ends failed with the class, and the work of before is kept', async () => {
    const replies = [{ calls: [call('Edit', 'e')] }, ...failing('rate_limit', 9, { status: 429 })]
    const stage = await told({ replies }, 'go')
    expect(await ofType(stage, 'run.ended')).toMatchObject([
      { outcome: 'failed', row: 'retry', failure: { class: 'rate_limit', retryable: true } },
    ])
    expect([sizes(stage), stage.model.left]).toEqual([[['/w/e', 1]], 3])
  })

  test.each([
    [0, 750],
    [0.5, 1_000],
    [0.999_999, 1_250],
  ])('48: the roll %d, stored, decides the due time, also after a restart while waiting', async (roll, gap) => {
    const options = { replies: [...failing('server', 1), hello], random: () => roll }
    const through = await told(options, 'go')
    const [first = 0, second = 0] = await starts(through)
    expect(second - first).toBe(gap)

    const cut = await createStage(options)
    await cut.send('go')
    await cut.until('model.failed')
    const stored = (await cut.events()).at(-1)
    expect(stored).toMatchObject({ type: 'model.failed', roll })
  })

  test('a bad key is not tried again', async () => {
    const stage = await told({ replies: [...failing('auth', 1), hello] }, 'go')
    expect([await ended(stage), stage.model.requests.length]).toEqual([['failed by retry'], 1])
  })

  test('half a reply that failed leaves no message, only what was counted of it', async () => {
    const stage = await told({ replies: [{ text: 'half of', fail: { class: 'connection' } }, hello] }, 'go')
    expect(await ofType(stage, 'model.failed')).toMatchObject([{ partial: { chars: 7, calls: 0 } }])
    expect((await ofType(stage, 'message.added')).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })
})

describe('16, 44: limits', () => {
  const work = (i: number) => ({ calls: [call('Read', `r${i}`)] })

  test('16: two turns with a call in turn 2: results stored, wind-down, limit; `run` grants afresh and goes on', async () => {
    const replies = [work(1), work(2), { text: 'summary' }]
    const stage = await told({ open: { limits: { turns: 2 } }, replies }, 'go')
    expect([await statuses(stage), await ended(stage)]).toEqual([['ok', 'ok'], ['limit by wound down']])
    expect(stage.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none'])
    expect(outline(stage.model.requests[2]).at(-1)).toMatch(/^user The turns limit is reached/)
    stage.model.push(work(3), { text: 'all done' })
    expect(await stage.command({ command: 'run' })).toMatchObject({ accepted: true })
    await stage.rest()
    expect([await ended(stage), await statuses(stage)]).toEqual([
      ['limit by wound down', 'done by done'],
      ['ok', 'ok', 'ok'],
    ])
  })

  test('16: a tokens limit stops within one attempt; what is spent is what the replies said', async () => {
    const usage = { input: 40, output: 10, cacheRead: 5, cacheWrite: 5, reasoning: 3 }
    const replies = Array.from({ length: 5 }, (_, i) => ({ ...work(i), usage }))
    const stage = await told({ onAsk: 'deny', open: { limits: { tokens: 100 } }, replies: [...replies, hello] }, 'go')
    expect(stage.session.state().spent.tokens).toBe(180)
    expect(await ofType(stage, 'run.ended')).toMatchObject([
      {
        outcome: 'limit',
        limit: 'tokens',
        usage: { input: 120, output: 30, cacheRead: 15, cacheWrite: 15, reasoning: 9 },
      },
    ])
  })

  test('44: calls of the wind-down reply are cancelled', async () => {
    const stage = await told(
      { open: { limits: { turns: 1 } }, replies: [work(1), { text: 'sum', calls: [call('Edit', 'no')] }] },
      'go',
    )
    expect([await statuses(stage), await ended(stage), [...stage.world.runs.keys()]]).toEqual([
      ['ok', 'cancelled'],
      ['limit by wound down'],
      ['r1'],
    ])
  })

  test('44: a budget spent before the run: limit without a call of the model', async () => {
    const usage = { input: 200, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
    const stage = await told(
      { onAsk: 'deny', open: { limits: { tokens: 100 } }, replies: [{ ...work(1), usage }, { text: 'sum' }] },
      'go',
      'again',
    )
    expect([await ended(stage), stage.model.requests.length]).toEqual([['limit by wound down', 'limit by budget'], 2])
  })

  test('somebody raises the budget and the run goes on', async () => {
    const usage = { input: 200, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
    const stage = await createStage({ open: { limits: { tokens: 100 } }, replies: [{ ...work(1), usage }, hello] })
    await stage.send('go')
    await stage.until('ask.opened')
    const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
    await stage.command({ command: 'answer', ask, options: ['raise'], input: { tokens: 1_000 } })
    await stage.rest()
    expect([await ended(stage), stage.session.state().settings['limits.tokens']]).toEqual([['done by done'], 1_000])
  })
})
