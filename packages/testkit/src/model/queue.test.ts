import { describe, expect, test } from 'vitest'
import { createQueueModel } from './queue.ts'
import { collect, modelRequest } from './request.ts'
import { streamProblems } from './stream-law.ts'

const never = new AbortController().signal

describe('queue model', () => {
  test('gives replies in order, and records requests', async () => {
    const model = createQueueModel(
      { text: 'one' },
      { reasoning: 'hm', calls: [{ name: 'Read', raw: '{' }, { name: 'Bash' }] },
    )
    const [first, second] = [
      await collect(model.stream(modelRequest(), never)),
      await collect(model.stream(modelRequest({ try: 1 }), never)),
    ]
    expect(first.parts).toEqual([
      { type: 'text.start', id: 't' },
      { type: 'text.delta', id: 't', text: 'one' },
      { type: 'text.end', id: 't' },
      { type: 'finish', reason: 'stop', usage: null },
    ])
    expect(streamProblems(second.parts)).toEqual([])
    expect(second.parts.at(-1)).toMatchObject({ reason: 'calls' })
    expect(model.requests.map((request) => request.try)).toEqual([0, 1])
    expect([model.left, model.waiting]).toEqual([0, 0])
  })

  test('a request waits for its reply, or for its abort', async () => {
    const model = createQueueModel()
    const abort = new AbortController()
    const given = collect(model.stream(modelRequest(), never))
    const aborted = collect(model.stream(modelRequest(), abort.signal))
    expect(model.waiting).toBe(2)
    abort.abort('stop')
    model.push({ text: 'late' }, { text: 'kept' })
    expect((await aborted).error).toBe('stop')
    expect((await given).error).toBeUndefined()
    expect([model.left, model.waiting]).toEqual([1, 0])
  })

  test('fails after what it streamed, and hangs until it is aborted', async () => {
    const model = createQueueModel(
      { text: 'half', fail: { class: 'overloaded', status: 529 } },
      { text: 'half', hang: true },
    )
    const failed = await collect(model.stream(modelRequest(), never))
    expect(failed).toMatchObject({ error: { class: 'overloaded', status: 529 }, parts: { length: 3 } })
    const abort = new AbortController()
    const hung = collect(model.stream(modelRequest(), abort.signal))
    await Promise.resolve()
    abort.abort('stop')
    expect((await hung).error).toBe('stop')
  })
})
