// Random commands: good ones, wrong ones, late ones, and repeats under an old id.
import type { RunState } from '@tenon/projections'
import type { Command, EventId, Json, Part } from '@tenon/protocol'
import type { Random } from './random.ts'

/** @param ids branch event ids to move to; @param sent commands of this life so far */
export function randomCommand(
  random: Random,
  state: RunState,
  ids: readonly EventId[],
  sent: readonly Command[],
): Command {
  const id = `cmd${sent.length}`
  const again = random.chance(0.05) ? random.pick(sent) : undefined
  if (again) return random.chance(0.8) ? again : ({ ...again, dryRun: false } as Command)
  const kind = random.weighted({
    send: 5,
    withdraw: 0.7,
    answer: 4,
    run: 1.5,
    pause: 0.8,
    interrupt: 0.8,
    configure: 1,
    move: 1.2,
    dry: 0.3,
  })
  switch (kind) {
    case 'send':
    case 'dry':
      return {
        id,
        command: 'send',
        parts: parts(random, sent.length),
        delivery: random.pick(['auto', 'steer', 'queue'] as const) ?? 'auto',
        run: random.chance(0.9),
        ...(kind === 'dry' && { dryRun: true }),
      }
    case 'withdraw':
      return {
        id,
        command: 'withdraw',
        queued: random.pick([...state.queue.map((message) => message.id), ...state.delivered]) ?? 'ev_nothing',
      }
    case 'answer':
      return answer(random, state, id)
    case 'run':
    case 'pause':
    case 'interrupt':
      return { id, command: kind }
    case 'configure':
      return { id, command: 'configure', set: settings(random) }
    case 'move':
      return move(random, ids, id)
  }
}

function parts(random: Random, n: number): Part[] {
  if (random.chance(0.05)) return [{ type: 'text', text: ' ' }]
  if (random.chance(0.1)) {
    const input: Json = { key: `person${n}`, file: 'a', ms: 50 }
    return [{ type: 'call', id: `p${n}`, name: 'Bash', tool: 'Bash', input, repairs: [] }]
  }
  return [{ type: 'text', text: `message ${n}` }]
}

function answer(random: Random, state: RunState, id: string): Command {
  const ask = random.pick(state.asks)
  if (!ask || random.chance(0.1)) return { id, command: 'answer', ask: 'ev_gone', options: ['allow'] }
  const base = { id, command: 'answer', ask: ask.id } as const
  if (ask.kind === 'question') return { ...base, options: [], answers: [{ options: ['a'] }] }
  const option = random.pick([...ask.options, ...ask.options, 'nonsense']) ?? 'allow'
  if (option === 'raise') return { ...base, options: [option], input: { turns: 50, tokens: 5_000 } }
  if (option === 'advise') return { ...base, options: [option], text: 'try b' }
  const edited = option === 'allow' && ask.kind === 'permission' && random.chance(0.3)
  return {
    ...base,
    options: [option],
    ...(edited && { input: { key: `edited${id}`, file: random.pick(['a', 'b']) ?? 'a', ms: 40 } }),
    ...(option === 'deny' && random.chance(0.3) && { stop: true }),
    ...(random.chance(0.1) && { always: { rules: ['Edit'], scope: 'session' as const } }),
  }
}

const settings = (random: Random): Record<string, Json> =>
  random.pick<Record<string, Json>>([
    { mode: 'acceptEdits' },
    { mode: 'default' },
    { mode: 'plan' },
    { mode: 'bypassPermissions' },
    { 'permissions.deny': ['Edit'] },
    { 'permissions.deny': [] },
    { 'limits.turns': random.below(6) + 1 },
    { 'limits.turns': null },
    { 'limits.tokens': 60 + random.below(500) },
    { 'limits.tokens': null },
    { 'limits.parallelTools': 1 + random.below(3) },
    { model: random.chance(0.5) ? 'sim/a' : 'sim/b' },
    { nonsense: 1 },
  ]) ?? {}

function move(random: Random, ids: readonly EventId[], id: string): Command {
  const kind = random.weighted({ undo: 4, redo: 2, to: 2, none: 0.2, bad: 0.2 })
  if (kind === 'undo') return { id, command: 'move', undo: 1 + random.below(2) }
  if (kind === 'redo') return { id, command: 'move', redo: true }
  if (kind === 'none') return { id, command: 'move', to: null }
  return { id, command: 'move', to: kind === 'bad' ? 'ev_nowhere' : (random.pick(ids) ?? null) }
}
