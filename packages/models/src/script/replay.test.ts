import { assistantMessage, collect, deltas, modelRequest, userMessage } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { createReplayModel, type RecordedReply } from './replay.ts'

const never = new AbortController().signal
const recorded = (text: string, requestHash: string): RecordedReply => ({
  parts: [{ type: 'text', text }],
  finish: 'stop',
  usage: null,
  requestHash,
})
const one = [userMessage('a')]
const two = [userMessage('a'), assistantMessage([{ type: 'text', text: '1' }]), userMessage('b')]

describe('replay model', () => {
  test('gives parts back as they were recorded', async () => {
    const model = createReplayModel([
      {
        parts: [
          { type: 'reasoning', text: 'hm', signature: 's', meta: { a: 1 } },
          { type: 'text', text: 'hi' },
          { type: 'call', id: 'c1', name: 'bash', tool: 'Bash', input: { command: 'ls' }, repairs: [], wireId: '' },
          { type: 'call', id: 'c2', name: 'Read', tool: 'Read', input: {}, repairs: [], raw: '{"fi' },
        ],
        finish: 'calls',
        usage: null,
        requestHash: 'h',
      },
    ])
    const { parts } = await collect(model.stream(modelRequest(), never))
    expect(parts.filter((part) => !part.type.endsWith('.delta'))).toEqual([
      { type: 'reasoning.start', id: 'p0' },
      { type: 'reasoning.end', id: 'p0', signature: 's', meta: { a: 1 } },
      { type: 'text.start', id: 'p1' },
      { type: 'text.end', id: 'p1' },
      { type: 'call.start', id: 'p2', name: 'bash', wireId: '' },
      { type: 'call.end', id: 'p2', name: 'bash', text: '{"command":"ls"}' },
      { type: 'call.start', id: 'p3', name: 'Read', wireId: 'c2' },
      { type: 'call.end', id: 'p3', name: 'Read', text: '{"fi' },
      { type: 'finish', reason: 'calls', usage: null },
    ])
  })

  test('keeps the order, warns when the hash differs, and finds an equal hash elsewhere', async () => {
    const replies = [recorded('1', 'h1'), recorded('2', 'h2'), recorded('3', 'h3')]
    const ask = async (messages: typeof one, hash: string) => {
      const model = createReplayModel(replies, { hashOf: () => hash })
      const { parts } = await collect(model.stream(modelRequest({ messages }), never))
      return [deltas(parts, 'text.delta'), parts.some((part) => part.type === 'meta' && part.warnings?.length)]
    }
    expect(await ask(one, 'h1')).toEqual(['1', false])
    expect(await ask(two, 'h2')).toEqual(['2', false])
    expect(await ask(two, 'other')).toEqual(['2', true])
    expect(await ask(one, 'h3')).toEqual(['3', false])
  })

  test('says that the recording is at its end', async () => {
    const { error } = await collect(
      createReplayModel([recorded('1', 'h')]).stream(modelRequest({ messages: two }), never),
    )
    expect(error).toMatchObject({ class: 'bad_request', message: 'The recording holds 1 replies, not 2.' })
  })
})
