// The model `demo`: no key, no network. Inside the demo project it tells the story; anywhere else it says what it is.
import type { Model, ModelRequest } from '@tenon/core'
import { type Pace, type Piece, streamReply } from '../script/reply.ts'
import { textOf, turnOf } from '../script/request.ts'
import { demoMarker } from './project.ts'
import { demoStory, type StoryTurn } from './story.ts'

const about = [
  'I am the offline demo model: I follow a script and cannot work on this request.',
  '',
  'To use a real model, set one and its key, for example:',
  '',
  '    export OPENAI_API_KEY=…',
  '    tenon --model openai/MODEL -p "…"',
  '',
  '`TENON_MODEL` or the setting `model` sets it for good; a server of your own goes under the setting `providers`.',
  '`tenon demo` shows what I can do: it fixes a failing test in a scratch project.',
].join('\n')

/** @param pace how fast the text appears; at once by default */
export function createDemoModel(pace: Pace = {}): Model {
  return {
    async *stream(request, signal) {
      const place = turnOf(request)
      const turn = showsDemoProject(request) ? tell(request, place) : { text: about }
      const reply = { pieces: toPieces(turn, place), finish: turn.calls ? 'calls' : 'stop', usage: null } as const
      yield* streamReply(reply, { signal, pace })
    },
  }
}

/** The folder shows in the prompt, in the instructions or in a result; and without tools there is no story to tell. */
function showsDemoProject({ system, messages, tools }: ModelRequest): boolean {
  if (!tools.some((tool) => tool.name === 'Bash')) return false
  const blocks = [...system.stable, ...system.volatile]
  return (
    blocks.some((block) => block.text.includes(demoMarker)) ||
    messages.some((message) => message.role !== 'assistant' && textOf(message).includes(demoMarker))
  )
}

function tell(request: ModelRequest, place: number): StoryTurn {
  const turn = demoStory[place]
  if (!turn) return { text: 'The story of the demo is told. `tenon demo` in a fresh folder tells it again.' }
  const last = request.messages.findLast((message) => message.role === 'tool')
  const refused =
    last?.role === 'tool' && last.results.find(({ status }) => status === 'denied' || status === 'cancelled')
  if (refused) return { text: `${refused.name} was not allowed, so the story of the demo ends here.` }
  const seen = textOf(last)
  if (turn.after?.some((sign) => seen.includes(sign)) === false)
    return { text: 'That is not the output my script knows. The offline demo cannot improvise, so it ends here.' }
  return turn
}

const toPieces = ({ reasoning, text, calls = [] }: StoryTurn, turn: number): readonly Piece[] => [
  ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
  { type: 'text', text },
  ...calls.map(({ name, input }, place) => ({
    type: 'call' as const,
    name,
    text: JSON.stringify(input),
    wireId: `demo_${turn + 1}_${place + 1}`,
  })),
]
