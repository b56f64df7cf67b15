// Which calls wait for which: lock keys, order in the batch, unjudged neighbours.
import type { Resource } from '@tenon/protocol'
import { callOf, given, sha256 } from '@tenon/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conflicts, meet } from './conflict.ts'
import { next } from './next.ts'

test.each([
  ['file:/w/a', 'file:/w/a', true],
  ['file:/w/a', 'file:/w/b', false],
  ['file:/w/a', 'file:/w/a/b', false],
  ['tree:/w', 'file:/w/a', true],
  ['tree:/w', 'file:/w', true],
  ['tree:/w', 'file:/wide', false],
  ['tree:/w/src', 'tree:/w', true],
  ['tree:/w/src', 'tree:/w/test', false],
  ['tree:/', 'file:/etc/passwd', true],
  ['workspace', 'file:/elsewhere/a', true],
  ['workspace', 'tree:/w', true],
  ['workspace', 'workspace', true],
  ['workspace', 'shell:main', false],
  ['shell:main', 'shell:main', true],
  ['shell:main', 'shell:other', false],
  ['tool:TodoWrite', 'tool:TodoWrite', true],
  ['tool:x', 'file:x', false],
  ['mcp:github', 'tree:/', false],
])('%s and %s meet: %s', (a, b, expected) => {
  expect([meet(a, b), meet(b, a)]).toEqual([expected, expected])
})

test('meeting is mutual, and every key meets itself', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
  const key = fc.oneof(
    path.map((at) => `file:${at}`),
    path.map((at) => `tree:${at}`),
    fc.constantFrom('workspace', 'shell:main', 'tool:a'),
  )
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(meet(a, b)).toBe(meet(b, a))
      expect(meet(a, a)).toBe(true)
    }),
    { seed: 20_260_728, numRuns: 300 },
  )
})

const exclusive = (key: string): Resource[] => [{ key, mode: 'exclusive' }]
const shared = (key: string): Resource[] => [{ key, mode: 'shared' }]

/** A batch with one call per entry, judged with these keys; `null` is not judged. */
function batchOf(...keys: (readonly Resource[] | null)[]) {
  const log = given()
  log.run('go')
  log.reply(keys.map((_, i) => callOf(`${i}`, 'Edit')))
  for (const [i, resources] of keys.entries()) if (resources) log.judge(`${i}`, { resources })
  const started = () => {
    const { facts } = next(log.state, { now: log.now, answerer: 'some', hash: sha256, version: '0' })
    log.add(...facts)
    return facts.flatMap((fact) => (fact.type === 'tool.started' ? [fact.ref.call] : []))
  }
  return { log, started }
}

describe('a call starts when it conflicts with nothing before it and nothing running', () => {
  test.each<[string, (readonly Resource[] | null)[], string[]]>([
    ['two readers of a file', [shared('file:/w/a'), shared('file:/w/a')], ['0', '1']],
    ['a reader, then a writer', [shared('file:/w/a'), exclusive('file:/w/a')], ['0']],
    ['a writer, then a reader', [exclusive('file:/w/a'), shared('file:/w/a')], ['0']],
    ['34: two edits of one file', [exclusive('file:/w/a'), exclusive('file:/w/a')], ['0']],
    ['two edits of two files', [exclusive('file:/w/a'), exclusive('file:/w/b')], ['0', '1']],
    ['34: read a, edit b, bash', [shared('file:/w/a'), exclusive('file:/w/b'), exclusive('workspace')], ['0', '1']],
    [
      'read, grep, edit a, read a, glob',
      [shared('file:/w/b'), shared('tree:/w'), exclusive('file:/w/a'), shared('file:/w/a'), shared('tree:/w')],
      ['0', '1'],
    ],
    ['one that touches nothing beside a shell', [exclusive('workspace'), []], ['0', '1']],
    ['an unjudged one before it', [null, shared('file:/w/a')], []],
    ['an unjudged one behind it', [shared('file:/w/a'), null], ['0']],
  ])('%s', (_name, keys, expected) => {
    expect(batchOf(...keys).started()).toEqual(expected)
  })

  test('34: two edits of one file run in their order', () => {
    const { log, started } = batchOf(exclusive('file:/w/a'), exclusive('file:/w/a'))
    expect([started(), started()]).toEqual([['0'], []])
    log.finish('0')
    expect(started()).toEqual(['1'])
  })

  test('43: a call that was reopened onto the file of a running later one waits for it', () => {
    const { log, started } = batchOf(null, exclusive('file:/w/b'))
    log.judge('0', { resources: exclusive('file:/w/a'), verdict: 'ask' })
    const { ref } = log.call('0')
    const [ask] = log.add({
      type: 'ask.opened',
      by: 'harness',
      kind: 'permission',
      ref,
      title: '',
      detail: '',
      options: [],
      rules: [],
    })
    expect(started()).toEqual(['1'])
    log.add({
      type: 'ask.closed',
      by: 'person',
      ask: ask?.id ?? 'ev_none',
      how: 'answered',
      answer: { options: ['allow'], input: { file: 'b' } },
    })
    log.judge('0', { resources: exclusive('file:/w/b') })
    expect(started()).toEqual([])
    log.finish('1')
    expect(started()).toEqual(['0'])
  })
})

test('a call never conflicts with itself', () => {
  const { log } = batchOf(exclusive('workspace'))
  expect(conflicts(log.call('0'), [log.call('0')])).toBe(false)
})
