// Token counts of a scripted reply: the script's own, else characters / 4.
import type { Usage } from '@tenon/protocol'
import type { WireReply } from '../format.ts'
import { callsOf } from './calls.ts'

export function countsOf(reply: WireReply): Usage {
  const { usage, text = '', reasoning = '' } = reply.turn
  const said = text.length + reasoning.length + callsOf(reply).reduce((sum, call) => sum + call.text.length, 0)
  const guessed: NonNullable<WireReply['turn']['usage']> = {
    input: Math.ceil(JSON.stringify(reply.body).length / 4),
    output: Math.ceil(said / 4),
  }
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0, reasoning: thought = 0 } = usage ?? guessed
  return { input, cacheRead, cacheWrite, output, reasoning: thought }
}
