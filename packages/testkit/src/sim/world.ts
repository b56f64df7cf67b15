// The simulated world: files with versions, and tools that touch them. It is the oracle for what really ran, and when.
import { createHash } from 'node:crypto'
import { type Blobs, type Clock, defineTool, type Tool, type Workspace } from '@tenon/core'
import { type Access, TenonError } from '@tenon/protocol'
import { z } from 'zod'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface World {
  readonly files: Map<string, Uint8Array>
  /** How often a call's body ran, by a key that the reply made up. */
  readonly runs: Map<string, number>
  /** Keys of calls that run now, with the file they hold and how. */
  readonly holding: Map<string, { readonly file: string; readonly exclusive: boolean }>
  readonly problems: string[]
}

export const createWorld = (): World => ({ files: new Map(), runs: new Map(), holding: new Map(), problems: [] })

const input = z.object({ key: z.string(), file: z.string(), ms: z.int() })
type Input = z.infer<typeof input>

/** The tools of one process; they stop touching the world when it dies. */
export function createSimTools(world: World, clock: Clock, alive: () => boolean): readonly Tool[] {
  const run = async (
    { key, file, ms }: Input,
    signal: AbortSignal,
    exclusive: boolean,
    heedless: boolean,
  ): Promise<void> => {
    enter(world, key, file, exclusive)
    try {
      await clock.until(clock.now() + ms, heedless ? new AbortController().signal : signal)
    } finally {
      world.holding.delete(key)
    }
  }
  const base = {
    aliases: [],
    description: '',
    schema: input,
    parameterAliases: {},
    paths: [],
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    timeoutMs: () => 20_000,
  } as const
  const file = (verb: Access['verb'], mode: 'shared' | 'exclusive') => ({
    access: (call: Input) => [{ verb, target: `/w/${call.file}` }],
    resources: (call: Input) => [{ key: `file:/w/${call.file}`, mode }],
  })
  const ok = (text: string) => ({ status: 'ok', content: [{ type: 'text', text }] }) as const
  return [
    defineTool({
      ...base,
      ...file('read', 'shared'),
      kind: 'run',
      name: 'Read',
      title: 'Read',
      run: async (call, { signal }) => {
        await run(call, signal, false, false)
        return ok(`${call.file}: ${world.files.get(`/w/${call.file}`)?.length ?? 0}`)
      },
    }),
    defineTool({
      ...base,
      ...file('write', 'exclusive'),
      kind: 'run',
      name: 'Edit',
      title: 'Edit',
      run: async (call, { signal, workspace }) => {
        await run(call, signal, true, false)
        if (!alive()) return ok('dead')
        const before = world.files.get(`/w/${call.file}`) ?? null
        const bytes = new Uint8Array((before?.length ?? 0) + 1)
        await workspace.write(`/w/${call.file}`, {
          bytes,
          expect: before,
          facts: { encoding: 'utf-8', eol: 'lf', added: 1, removed: 0 },
        })
        return ok(`edited ${call.file}`)
      },
    }),
    defineTool({
      ...base,
      kind: 'run',
      name: 'Bash',
      title: 'Bash',
      access: (call) => [{ verb: 'exec', target: `echo ${call.file}` }],
      resources: () => [{ key: 'workspace', mode: 'exclusive' }],
      run: async (call, { signal, output }) => {
        await run({ ...call, file: '*' }, signal, true, false)
        await output.write(new TextEncoder().encode('out'))
        const { blob } = await output.finish()
        return { ...ok('out'), ...(blob && { raw: blob }) }
      },
    }),
    defineTool({
      ...base,
      ...file('read', 'shared'),
      kind: 'run',
      name: 'Slow',
      title: 'Slow',
      timeoutMs: () => 5_000,
      run: async (call, { signal }) => {
        await run({ ...call, ms: call.ms * 20 }, signal, false, true)
        return ok('late')
      },
    }),
    defineTool({
      ...base,
      ...file('read', 'shared'),
      kind: 'run',
      name: 'Fail',
      title: 'Fail',
      run: async (call, { signal }) => {
        await run(call, signal, false, false)
        throw new TenonError({ code: 'tool_failed', message: 'It failed.', action: 'Try something else.' })
      },
    }),
    defineTool({
      ...base,
      access: () => [],
      resources: () => [],
      kind: 'ask',
      name: 'AskUserQuestion',
      title: 'Ask',
      toQuestions: () => ({
        title: 'Which?',
        questions: [
          { question: 'Which?', header: 'Which', options: [{ label: 'a', description: '' }], multiSelect: false },
        ],
      }),
    }),
    defineTool({
      ...base,
      access: () => [],
      resources: () => [{ key: 'tool:TodoWrite', mode: 'exclusive' }],
      kind: 'emit',
      name: 'TodoWrite',
      title: 'Todos',
      emit: (call) => ({
        result: ok('noted'),
        todos: [
          { id: '1', content: call.file, activeForm: call.file, status: call.ms > 300 ? 'completed' : 'pending' },
        ],
      }),
    }),
    defineTool({
      ...base,
      access: () => [],
      resources: () => [],
      kind: 'emit',
      name: 'Finish',
      title: 'Finish',
      emit: () => ({ result: { ...ok('finished'), structured: { outcome: 'success' } } }),
    }),
  ]
}

/** Every start is counted, and checked against what runs at that moment. */
function enter(world: World, key: string, file: string, exclusive: boolean): void {
  world.runs.set(key, (world.runs.get(key) ?? 0) + 1)
  for (const [other, held] of world.holding) {
    const meets = held.file === file || held.file === '*' || file === '*'
    if (meets && (held.exclusive || exclusive)) world.problems.push(`${key} ran while ${other} held ${held.file}`)
  }
  world.holding.set(key, { file, exclusive })
}

export const createSimWorkspace = (world: World, alive: () => boolean): Workspace => ({
  root: '/w',
  platform: 'sim',
  realPath: async (path) => path,
  stat: async () => null,
  list: async () => [],
  read: async (path) => world.files.get(path) ?? new Uint8Array(),
  write: async (path, { bytes }) => {
    if (alive()) world.files.set(path, bytes)
  },
  spawn: () =>
    Promise.reject(
      new TenonError({ code: 'spawn_failed', message: 'No processes here.', action: 'Use the local workspace.' }),
    ),
})

export function createSimBlobs(): Blobs {
  const stored = new Map<string, Uint8Array>()
  const put = async (bytes: Uint8Array, mime: string) => {
    const sha = sha256(`${bytes.length}`)
    stored.set(sha, bytes)
    return { sha256: sha, bytes: bytes.length, mime }
  }
  return {
    put,
    get: async (sha) => stored.get(sha) ?? new Uint8Array(),
    spool: async (mime) => {
      const chunks: Uint8Array[] = []
      return {
        write: async (chunk) => void chunks.push(chunk),
        finish: async () => ({
          blob: await put(new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0)), mime),
          total: 0,
        }),
        abandon: async () => undefined,
      }
    },
  }
}
