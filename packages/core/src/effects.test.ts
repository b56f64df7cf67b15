// What effects leave in the log: batches with failures, order of calls that clash, and that each effect ends.
import { type Event, TenonError } from '@tenon/protocol'
import {
  createSimPlace,
  createStage,
  createWorld,
  logProblems,
  outline,
  type Place,
  type Stage,
  type StageOptions,
} from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const call = (name: string, key: string, ms = 100, file = key) => ({ name, input: { key, file, ms } })
const ofType = async <T extends Event['type']>(stage: Stage, type: T) =>
  (await stage.events()).filter((event): event is Extract<Event, { type: T }> => event.type === type)
const statuses = async (stage: Stage) => (await ofType(stage, 'tool.finished')).map(({ status }) => status)
const ended = async (stage: Stage) =>
  (await ofType(stage, 'run.ended')).map(({ outcome, row }) => `${outcome} by ${row}`)
const lawful = async (stage: Stage) => logProblems(await stage.events(), stage.session.state())
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

describe('E: a batch is no transaction', () => {
  test('3, E: write a ok, b fails in one reply: a is changed, and the next request has both results in call order', async () => {
    const stage = await told({ replies: [{ calls: [call('Fail', 'b', 10), call('Edit', 'a', 50)] }, hello] }, 'go')
    expect(sizes(stage)).toEqual([['/w/a', 1]])
    expect(outline(stage.model.requests[1]).at(-1)).toBe('tool Fail:error Edit:ok')
    expect(await lawful(stage)).toEqual([])
  })

  test('E: whichever of k calls fails, the others keep effect and result', async () => {
    const plan = fc.array(fc.constantFrom('Edit', 'Read', 'Fail', 'Nope'), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(plan, async (names) => {
        const calls = names.map((name, i) => call(name, `${i}`, 10 * (names.length - i)))
        const stage = await told({ replies: [{ calls }, hello] }, 'go')
        const expected = names.map((name) => `${name}:${name === 'Fail' || name === 'Nope' ? 'error' : 'ok'}`)
        expect(outline(stage.model.requests[1]).at(-1)).toBe(`tool ${expected.join(' ')}`)
        const edited = names.flatMap((name, i) => (name === 'Edit' ? [`/w/${i}`] : []))
        expect([...stage.world.files.keys()].sort()).toEqual(edited)
        expect(await lawful(stage)).toEqual([])
      }),
      { seed: 20_260_728, numRuns: 40 },
    )
  })

  test('21: broken arguments, an unknown tool and a good call in one batch: refused one by one, the sibling runs', async () => {
    const calls = [
      { name: 'Read', raw: 'not JSON at all' },
      { name: 'NoSuchTool', input: {} },
      { name: 'read', input: { key: 'k', file: 'a', ms: 5 } },
    ]
    const stage = await told({ replies: [{ calls }, hello] }, 'go')
    const results = (await ofType(stage, 'tool.finished')).map(({ status, content }) => [
      status,
      content.map((part) => (part.type === 'error' ? part.code : part.type)).join(),
    ])
    expect(results).toEqual([
      ['error', 'args_not_json'],
      ['error', 'tool_unknown'],
      ['ok', 'text'],
    ])
  })
})

describe('34, 43: order of calls that touch the same thing', () => {
  test('34: read a, edit b, bash together: the two overlap, bash comes last', async () => {
    const calls = [call('Read', 'r', 100, 'a'), call('Edit', 'e', 100, 'b'), call('Bash', 'x', 100)]
    const stage = await told({ replies: [{ calls }, hello] }, 'go')
    const order = (await stage.events()).flatMap((event) =>
      event.type === 'tool.started' || event.type === 'tool.finished' ? [`${event.type} ${event.ref.tool}`] : [],
    )
    expect(order).toEqual([
      'tool.started Read',
      'tool.started Edit',
      'tool.finished Read',
      'tool.finished Edit',
      'tool.started Bash',
      'tool.finished Bash',
    ])
    expect(stage.world.problems).toEqual([])
  })

  test('43: an answer edits call 1 onto the file that call 2 writes: call 1 waits', async () => {
    const calls = [call('Edit', 'one', 50, 'a'), call('Edit', 'two', 500, 'b')]
    const stage = await createStage({
      open: { mode: 'default', config: { 'permissions.allow': ['Edit(b)'] } },
      replies: [{ calls }, hello],
    })
    await stage.send('go')
    await stage.until('tool.started')
    const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
    await stage.command({ command: 'answer', ask, options: ['allow'], input: { key: 'moved', file: 'b', ms: 50 } })
    await stage.rest()
    expect([[...stage.world.runs.keys()], stage.world.problems, sizes(stage)]).toEqual([
      ['two', 'moved'],
      [],
      [['/w/b', 2]],
    ])
    expect(await lawful(stage)).toEqual([])
  })

  test('an edited call is judged again: a deny rule still holds', async () => {
    const stage = await createStage({
      open: { mode: 'default', config: { 'permissions.deny': ['Edit(secret)'] } },
      replies: [{ calls: [call('Edit', 'one', 50, 'a')] }, hello],
    })
    await stage.send('go')
    await stage.until('ask.opened')
    const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
    await stage.command({ command: 'answer', ask, options: ['allow'], input: { key: 'x', file: 'secret', ms: 5 } })
    await stage.rest()
    expect([await statuses(stage), stage.world.runs.size]).toEqual([['denied'], 0])
  })

  test('a rule that comes while a call is asked closes the ask: rejudged', async () => {
    const stage = await createStage({ open: { mode: 'default' }, replies: [{ calls: [call('Edit', 'e')] }, hello] })
    await stage.send('go')
    await stage.until('ask.opened')
    await stage.command({ command: 'configure', set: { mode: 'acceptEdits' } })
    await stage.rest()
    expect(await ofType(stage, 'ask.closed')).toMatchObject([{ how: 'rejudged' }])
    expect(await statuses(stage)).toEqual(['ok'])
  })
})

describe('40, L: every effect ends with an event that changes what follows', () => {
  const bug = () => new Error('a bug')
  const known = () => new TenonError({ code: 'file_missing', message: 'gone', action: 'look' })

  test('40: the context cannot be gathered: one effect.ended, and the run ends', async () => {
    const stage = await told({ context: { blocks: () => Promise.reject(known()) } }, 'go')
    expect(await ofType(stage, 'effect.ended')).toMatchObject([{ failure: { code: 'file_missing' } }])
    expect(await ofType(stage, 'run.ended')).toMatchObject([
      {
        outcome: 'failed',
        row: 'prepare',
        failure: { code: 'gather_failed', message: expect.stringContaining('gone') },
      },
    ])
  })

  test('40: a context that cannot be gathered anew leaves the old one in force', async () => {
    let blocks = () => Promise.resolve<never[]>([])
    const stage = await createStage({ context: { blocks: () => blocks() }, replies: [hello, hello] })
    await stage.send('one')
    await stage.rest()
    blocks = () => Promise.reject(bug())
    await stage.command({ command: 'configure', set: { model: 'stage/b' } })
    await stage.send('two')
    await stage.rest()
    // Tried before the message is delivered and once more after it: the key hangs on the anchor.
    expect([
      (await ofType(stage, 'context.set')).length,
      (await ofType(stage, 'effect.ended')).length,
      await ended(stage),
    ]).toEqual([1, 2, ['done by done', 'done by done']])
  })

  test('40: a disposable effect that is no longer wanted is aborted and leaves no event', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const stage = await createStage({ context: { blocks: () => held.then(() => []) } })
    await stage.send('go')
    await stage.settle()
    const before = stage.session.durable()
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    release()
    await stage.quiet()
    expect((await stage.events()).slice(before + 1).map(({ type }) => type)).toEqual(['run.stopping', 'run.ended'])
  })

  test.each<[string, Partial<Record<'access' | 'run' | 'toQuestions' | 'emit', () => never>>, string]>([
    ['judging', { access: () => raise(bug()) }, 'internal'],
    ['judging, with a reason', { access: () => raise(known()) }, 'file_missing'],
    ['running', { run: () => raise(bug()) }, 'internal'],
  ])('L: %s throws: the call gets an error and the run goes on', async (_name, broken, code) => {
    const place: StageOptions['place'] = (clock, alive) => {
      const { tools, workspace } = createSimPlace(createWorld(), clock, alive)
      return {
        workspace,
        tools: tools.map((tool) => (tool.name === 'Read' ? { ...tool, ...broken } : tool)) as Place['tools'],
      }
    }
    const stage = await told({ place, replies: [{ calls: [call('Read', 'r'), call('Edit', 'e')] }, hello] }, 'go')
    expect(await ofType(stage, 'tool.finished')).toMatchObject([
      { ref: { tool: 'Read' }, status: 'error', content: [{ code }] },
      { ref: { tool: 'Edit' }, status: 'ok' },
    ])
    expect([await ended(stage), await lawful(stage)]).toEqual([['done by done'], []])
  })

  test.each(['AskUserQuestion', 'TodoWrite'])(
    'L: %s throws while it is resolved: an error, and the run goes on',
    async (name) => {
      const place: StageOptions['place'] = (clock, alive) => {
        const { tools, workspace } = createSimPlace(createWorld(), clock, alive)
        const broken = { toQuestions: () => raise(bug()), emit: () => raise(bug()) }
        return {
          workspace,
          tools: tools.map((tool) => (tool.name === name ? { ...tool, ...broken } : tool)) as Place['tools'],
        }
      }
      const stage = await told({ place, replies: [{ calls: [call(name, 'r')] }, hello] }, 'go')
      expect([await statuses(stage), await ended(stage)]).toEqual([['error'], ['done by done']])
    },
  )

  test('an error that a tool gives because it was told to stop is no error of the tool: cancelled', async () => {
    const place: StageOptions['place'] = (clock, alive) => {
      const { tools, workspace } = createSimPlace(createWorld(), clock, alive)
      const run = async (_input: unknown, { signal }: { signal: AbortSignal }) => {
        await clock.until(clock.now() + 9_000, signal).catch(() => undefined)
        return { status: 'error', content: [{ type: 'text', text: 'stopped' }] }
      }
      const polite = tools.map((tool) => (tool.name === 'Read' ? { ...tool, run } : tool)) as Place['tools']
      return { workspace, tools: polite }
    }
    const stage = await createStage({ place, replies: [{ calls: [call('Read', 'r')] }] })
    await stage.send('go')
    await stage.until('tool.started')
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    expect(await ofType(stage, 'tool.finished')).toMatchObject([
      { status: 'cancelled', content: [{ text: 'stopped' }] },
    ])
  })

  test('L: a model that throws what is no failure ends the run failed, internal', async () => {
    const stage = await createStage({ replies: [hello] })
    stage.model.stream = () => raise(bug())
    await stage.send('go')
    await stage.rest()
    expect(await ofType(stage, 'run.ended')).toMatchObject([
      { outcome: 'failed', failure: { class: 'internal', message: 'a bug' } },
    ])
  })

  test('L: a tool that never returns is left at its limit, its call unknown, and the run goes on', async () => {
    const stage = await told({ replies: [{ calls: [call('Slow', 's', 60_000)] }, hello] }, 'go')
    expect([await statuses(stage), await ended(stage), stage.now() - 1_000_000]).toEqual([
      ['unknown'],
      ['done by done'],
      5_000 + 10_000 + 8_000,
    ])
  })
})

function raise(error: Error): never {
  throw error
}

describe('48: the loop guard in a session', () => {
  test('48: the repeated call after the nudge is answered before judging: no ask is opened, nothing runs', async () => {
    const same = { calls: [call('Edit', 'same', 10, 'a')] }
    const world = createWorld()
    const stage = await told(
      { world, onAsk: 'deny', open: { mode: 'default' }, replies: [same, same, same, same, same, hello] },
      'go',
    )
    const judged = (await ofType(stage, 'tool.judged')).filter(({ by }) => by === 'harness').length
    const asks = (await ofType(stage, 'ask.opened')).length
    expect([await statuses(stage), asks, judged > 0]).toEqual([
      ['denied', 'denied', 'denied', 'cancelled', 'cancelled'],
      3,
      true,
    ])
    expect(await ended(stage)).toEqual(['stuck by loop'])
  })
})

describe('G: live fragments', () => {
  test('G: whoever listens, and drops what it likes, the log is the same', async () => {
    const replies = [{ reasoning: 'hm', text: 'words', calls: [call('Bash', 'b')] }, hello]
    const shape = (events: readonly Event[]) => events.map(({ id: _, ...event }) => event.type)
    const silent = await told({ replies }, 'go')
    const heard: string[] = []
    const stage = await createStage({ replies })
    const done = new AbortController()
    const listening = (async () => {
      for await (const fragment of stage.session.live(done.signal)) heard.push(fragment.type)
    })()
    await stage.send('go')
    await stage.rest()
    await stage.settle()
    done.abort()
    await listening
    expect(heard).toEqual(['message.delta', 'message.delta', 'message.delta', 'tool.output', 'message.delta'])
    expect(shape(await stage.events())).toEqual(shape(await silent.events()))
    expect(stage.session.partial()).toEqual([])
  })
})
