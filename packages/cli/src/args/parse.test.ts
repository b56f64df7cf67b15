import { describe, expect, test } from 'vitest'
import { nearest } from './nearest.ts'
import { type FlagTable, parseFlags, splitList } from './parse.ts'

const table = {
  print: { names: ['-p', '--print'], value: 'optional', help: '' },
  model: { names: ['-m', '--model'], value: 'one', what: 'MODEL', help: '' },
  verbose: { names: ['--verbose'], help: '' },
} as const satisfies FlagTable

describe('parseFlags', () => {
  test('values after a blank or a sign, several times; words between them', () => {
    expect(parseFlags(table, ['-p', 'text', '--model=a=b', 'word', '-m', '-x', '--verbose'])).toEqual({
      flags: { print: ['text'], model: ['a=b', '-x'], verbose: [] },
      words: ['word'],
    })
  })

  test('an optional value is none when a flag follows; after -- everything is a word', () => {
    expect(parseFlags(table, ['-p', '--verbose', '--', '--model'])).toEqual({
      flags: { print: [], verbose: [] },
      words: ['--model'],
    })
    expect(parseFlags(table, ['-', '-5'])).toEqual({ flags: {}, words: ['-', '-5'] })
  })

  test.each([
    [['--modell', 'x'], 'There is no flag --modell.', '--model'],
    [['--model'], '--model needs a value.', 'MODEL'],
    [['--verbose=1'], '--verbose takes no value.', '--verbose'],
    [['--zzzzzzzzzzz'], 'There is no flag --zzzzzzzzzzz.', 'tenon help'],
  ])('%j is refused', (args, message, action) => {
    const failure = { code: 'usage', message, action: expect.stringContaining(action) }
    expect(() => parseFlags(table, args)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining(failure) }),
    )
  })
})

test('lists are split at commas and blanks, rules stay whole', () => {
  expect(splitList(['Edit,Bash(git log *)', 'Bash(npm run a, b) Read'])).toEqual([
    'Edit',
    'Bash(git log *)',
    'Bash(npm run a, b)',
    'Read',
  ])
  expect(splitList()).toEqual([])
})

test('nearest', () => {
  expect(nearest('--max-turn', ['--model', '--max-turns', '--max-time'])).toBe('--max-turns')
  expect(nearest('xyz', ['--model'])).toBeUndefined()
})

test('a rule that lost its bracket stays one value, so that it is refused as a whole', () => {
  expect(splitList(['Read,Bash(npm test', 'Edit(docs/**'])).toEqual(['Read', 'Bash(npm test', 'Edit(docs/**'])
})
