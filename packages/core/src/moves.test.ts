// Moving HEAD in a whole session: what changes (the path) and what never does (files, runs, requests); tools that end late.
import type { Event } from '@tenon/protocol'
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
import { z } from 'zod'
import { type Clock, defineTool } from './index.ts'

const call = (name: string, key: string, ms = 100, file = key) => ({ name, input: { key, file, ms } })
const ofType = async <T extends Event['type']>(stage: Stage, type: T) =>
  (await stage.events()).filter((event): event is Extract<Event, { type: T }> => event.type === type)
const statuses = async (stage: Stage) => (await ofType(stage, 'tool.finished')).map(({ status }) => status)
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

describe('45, D: moves', () => {
  const edit = (key: string, file = 'a') => ({ calls: [call('Edit', key, 10, file)] })

  test('D: moving HEAD, to anywhere and back, changes no byte of the workspace and runs nothing', async () => {
    const stage = await told(
      { replies: [edit('1'), hello, edit('2', 'b'), hello, edit('3'), hello] },
      'one',
      'two',
      'three',
    )
    const ids = (await stage.events()).flatMap((event) => (event.parent === undefined ? [] : [event.id]))
    const moves = fc.array(
      fc.oneof(
        fc.nat(ids.length - 1).map((i) => ({ to: ids[i] ?? null })),
        fc.constantFrom<{ undo?: number; redo?: true; to?: null }>(
          { undo: 1 },
          { undo: 2 },
          { redo: true },
          { to: null },
        ),
      ),
      { minLength: 1, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(moves, async (list) => {
        const before = [sizes(stage), [...stage.world.runs], stage.model.requests.length]
        for (const move of list) await stage.command({ command: 'move', ...move })
        await stage.quiet()
        expect([sizes(stage), [...stage.world.runs], stage.model.requests.length]).toEqual(before)
      }),
      { seed: 20_260_728, numRuns: 30 },
    )
    expect(await lawful(stage)).toEqual([])
  })

  test('45: away from a pending call: its result "moved away" and its ask in the same append, none on the new branch', async () => {
    const stage = await createStage({ open: { mode: 'default' }, onAsk: 'stop', replies: [edit('1'), hello] })
    await stage.send('go')
    await stage.rest()
    const ask = stage.session.state().asks[0]?.id ?? 'ev_none'
    const outcome = await stage.command({ command: 'move', undo: 1 })
    const [first = 0, last = 0] = outcome.accepted && outcome.seq ? outcome.seq : []
    expect((await stage.events()).slice(first, last + 1)).toMatchObject([
      { type: 'ask.closed', ask, how: 'cancelled' },
      { type: 'tool.finished', status: 'cancelled', content: [{ message: 'Not run: moved away.' }] },
      { type: 'head.moved', reason: 'undo' },
    ])
    expect(await stage.command({ command: 'answer', ask, options: ['allow'] })).toMatchObject({
      refusal: { code: 'ask_closed' },
    })
    await stage.send('other')
    await stage.rest()
    expect(outline(stage.model.requests.at(-1))).toEqual(['user other'])
    expect([stage.world.runs.size, await lawful(stage)]).toEqual([0, []])
  })

  test('2: undo, redo, and a new branch: the next request shows the active path only', async () => {
    const stage = await told({ replies: [hello, { text: 'old answer' }, { text: 'new answer' }] }, 'root', 'old')
    await stage.command({ command: 'move', undo: 1 })
    expect(await stage.command({ command: 'move', redo: true })).toMatchObject({ accepted: true })
    await stage.command({ command: 'move', undo: 1 })
    await stage.send('new')
    await stage.rest()
    expect(outline(stage.model.requests.at(-1))).toEqual(['user root', 'assistant done', 'user new'])
    expect(await stage.command({ command: 'move', redo: true })).toMatchObject({ refusal: { code: 'nothing_to_redo' } })
  })

  test('45: of a tool that ends after its call was closed only its file.changed is kept', async () => {
    const world = createWorld()
    const place: StageOptions['place'] = (clock, alive): Place => {
      const { tools, workspace } = heedless(world, clock, alive)
      return { tools, workspace }
    }
    const stage = await createStage({ world, place, replies: [{ calls: [call('Stubborn', 's', 30_000, 'late')] }] })
    await stage.send('go')
    await stage.until('tool.started')
    await stage.command({ command: 'interrupt' })
    await stage.rest()
    const closed = stage.session.durable()
    await stage.quiet()
    expect((await stage.events()).slice(closed + 1)).toMatchObject([{ type: 'file.changed', path: '/w/late' }])
    expect([await statuses(stage), await lawful(stage)]).toEqual([['unknown'], []])
  })
})

/** The simulator's world with a tool that writes long after it was told to stop. */
function heedless(world: ReturnType<typeof createWorld>, clock: Clock, alive: () => boolean): Place {
  const { tools, workspace } = createSimPlace(world, clock, alive)
  const stubborn = defineTool({
    kind: 'run',
    name: 'Stubborn',
    title: 'Stubborn',
    aliases: [],
    description: '',
    schema: z.object({ key: z.string(), file: z.string(), ms: z.int() }),
    parameterAliases: {},
    paths: [],
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    access: ({ file }) => [{ verb: 'write', target: `/w/${file}` }],
    resources: ({ file }) => [{ key: `file:/w/${file}`, mode: 'exclusive' }],
    timeoutMs: () => 60_000,
    run: async ({ file, ms }, context) => {
      await clock.until(clock.now() + ms, new AbortController().signal)
      await context.workspace.write(`/w/${file}`, {
        bytes: new Uint8Array(1),
        expect: null,
        facts: { encoding: 'utf-8', eol: 'lf', added: 1, removed: 0 },
      })
      return { status: 'ok', content: [{ type: 'text', text: 'at last' }] }
    },
  })
  return { tools: [...tools, stubborn], workspace }
}
