import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.ts'
import { repairJson } from './json.ts'
import { resolveName } from './name.ts'
import { normaliseInput } from './normalise.ts'
import { toAbsolutePath } from './paths.ts'
import { toModelSchema } from './schema.ts'

const make = (name: string, aliases: readonly string[] = []): Tool =>
  defineTool({
    kind: 'run',
    name,
    title: name,
    aliases,
    description: name,
    schema: z.object({
      file_path: z.string().describe('A path'),
      content: z.string().optional(),
      limit: z.int().positive().default(10),
      deep: z.boolean().default(false),
      mode: z
        .enum(['fast', 'very_slow'])
        .default('fast')
        .meta({ synonyms: { quick: 'fast' } }),
      tags: z.array(z.string()).optional(),
      items: z.array(z.object({ oldString: z.string(), done: z.boolean().default(false) })).optional(),
      timeout: z.int().optional().meta({ hidden: true, milliseconds: true }),
    }),
    parameterAliases: { path: 'file_path', max: 'limit' },
    paths: ['file_path'],
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    access: () => [],
    resources: () => [],
    timeoutMs: () => 1000,
    run: async () => ({ status: 'ok', content: [] }),
  })
const tool = make('Read', ['read_file', 'view'])
const place = { cwd: '/work', home: '/home/me' }
const normal = (input: Parameters<typeof normaliseInput>[1]) => normaliseInput(tool, input, place)
const inputOf = (input: Parameters<typeof normaliseInput>[1]) => {
  const result = normal(input)
  return 'input' in result ? result.input : result.issues
}

describe('names', () => {
  const tools = [tool, make('Bash', ['bash']), make('WebFetch', ['web_fetch'])]
  test.each([
    ['Read', 'Read'],
    ['read_file', 'Read'],
    ['BASH', 'Bash'],
    ['web-fetch', 'WebFetch'],
    ['functions.Read', 'Read'],
    ['default_api:Bash', 'Bash'],
    ['Read<|channel|>json', 'Read'],
    ['Read:0', 'Read'],
    [' Bash ', 'Bash'],
  ])('%s → %s', (wire, name) => {
    const found = resolveName(wire, tools)
    expect('tool' in found && found.tool.name).toBe(name)
    expect('tool' in found && found.repairs.length).toBe(wire === name ? 0 : 1)
  })

  test('an unknown one names the nearest real ones, each once', () => {
    expect(resolveName('ReadFiles', tools)).toEqual({ unknown: 'ReadFiles', nearest: ['Read', 'WebFetch', 'Bash'] })
  })
})

describe('JSON', () => {
  test.each([
    ['{"a":1}', { a: 1 }, 0],
    ['', {}, 1],
    ['   ', {}, 1],
    ['```json\n{"a":1}\n```', { a: 1 }, 1],
    ['{"a":1,}', { a: 1 }, 1],
    ['{"a":[1,2,],}', { a: [1, 2] }, 1],
    ['{"a":1,,"b":2}', { a: 1, b: 2 }, 1],
    ['{"a":1}}', { a: 1 }, 1],
    ['{"a":1}<|end|>', { a: 1 }, 1],
    ['{"a":1}{"a":1}', { a: 1 }, 1],
    ['{"a":"x\ny\tz"}', { a: 'x\ny\tz' }, 1],
    ['{"a":"},] ```"}', { a: '},] ```' }, 0],
  ])('%j', (text, value, repairs) => {
    const repaired = repairJson(text)
    expect(repaired).toMatchObject({ value })
    expect('repairs' in repaired && repaired.repairs.length).toBe(repairs)
  })

  test.each([
    ['{"a":"cut in the mid', 'args_cut'],
    ['{"a":{"b":1}', 'args_cut'],
    ['{', 'args_cut'],
    ['ls -la', 'args_not_json'],
    ['{"a":1 "b":2}', 'args_not_json'],
    ["{'a':1}", 'args_not_json'],
  ])('%j is %s', (text, code) => {
    expect(repairJson(text)).toMatchObject({ error: { code } })
  })

  test('repair never alters what stands in a string', () => {
    const damage = [
      (text: string) => text,
      (text: string) => `\`\`\`json\n${text}\n\`\`\``,
      (text: string) => text.replace(/\}$/, ',}'),
      (text: string) => `${text}}`,
      (text: string) => text + text,
      (text: string) => `  ${text}\n`,
      // Raw control characters inside strings, as weak models write them.
      (text: string) => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
    ]
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.oneof(
            fc.string(),
            fc.string({ unit: 'grapheme' }),
            fc.constantFrom('```', ',}', '{"a":1}', 'a\nb,\n}', '\\n', '\u2028'),
          ),
        ),
        fc.nat(damage.length - 1),
        (value, at) => {
          const plain = JSON.stringify(value)
          fc.pre(at !== 6 || !/\\\\[nt]/.test(plain))
          const repaired = repairJson(damage[at]?.(plain) ?? plain)
          expect(repaired).toHaveProperty('value', JSON.parse(plain))
        },
      ),
      { seed: 1, numRuns: 500 },
    )
  })

  test('repair is total', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const repaired = repairJson(text)
        expect('value' in repaired || 'error' in repaired).toBe(true)
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})

describe('keys and values', () => {
  test.each([
    [{ filePath: '/a' }, { file_path: '/a' }],
    [
      { path: '/a', MAX: 3 },
      { file_path: '/a', limit: 3 },
    ],
    [{ file_path: '/a', path: '/denied' }, { file_path: '/a' }],
    [
      { file_path: '/a', limit: '3', deep: 'True', mode: 'Very-Slow' },
      { file_path: '/a', limit: 3, deep: true, mode: 'very_slow' },
    ],
    [
      { file_path: '/a', mode: 'quick', tags: 'one' },
      { file_path: '/a', mode: 'fast', tags: ['one'] },
    ],
    [
      { file_path: '/a', tags: '["x","y"]', limit: null, deep: '' },
      { file_path: '/a', tags: ['x', 'y'] },
    ],
    [
      { file_path: '/a', items: '{"old_string":"q","done":"true"}' },
      { file_path: '/a', items: [{ oldString: 'q', done: true }] },
    ],
    [
      { file_path: '/a', content: '' },
      { file_path: '/a', content: '' },
    ],
    [
      { file_path: '/a', content: ['x', { type: 'text', text: 'y' }] },
      { file_path: '/a', content: 'xy' },
    ],
    [
      { file_path: '/a', timeout: 60 },
      { file_path: '/a', timeout: 60_000 },
    ],
    [{ file_path: '/a', risk: 'low', nonsense: 1 }, { file_path: '/a' }],
    ['{"file_path":"/a"}', { file_path: '/a' }],
  ])('%j', (input, expected) => {
    expect(inputOf(input)).toEqual({ limit: 10, deep: false, mode: 'fast', ...expected })
  })

  test('every change is noted', () => {
    const result = normal({ path: 'a', Limit: '3', extra: 1, risk: 'low' })
    expect('repairs' in result && result.repairs).toEqual([
      'path → file_path',
      'Limit → limit',
      'extra ignored: no such parameter',
      'limit: "3" → 3',
      'file_path: "a" → "/work/a"',
    ])
  })

  test('payload text is never touched', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        expect(inputOf({ file_path: '/a', content })).toMatchObject({ content })
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('what is wrong is listed with an example', () => {
    expect(inputOf({ file_pth: '/a', limit: 'many' })).toBe(
      'Read: file_path is missing (nearest given: file_pth); limit: Invalid input: expected number, received string, got "many". Example: {"file_path":"…"}',
    )
    expect(inputOf([1])).toContain('takes a JSON object, got a list')
  })
})

test.each([
  ['a/b', '/work/a/b'],
  ['./a/../b', '/work/b'],
  ['~/x', '/home/me/x'],
  ['"/a b"', '/a b'],
  [' /a ', '/a'],
  ['file:///a%20b', '/a b'],
  ['@src/x.ts', '/work/@src/x.ts'],
  ['@x.ts', '/work/x.ts'],
  ['@./src', '/work/src'],
  ['@types/node', '/work/@types/node'],
  [`blob:${'a'.repeat(64)}`, `blob:${'a'.repeat(64)}`],
  ['../../..', '/'],
])('path %j → %j', (written, absolute) => {
  expect(toAbsolutePath(written, place)).toBe(absolute)
})

test('the model’s schema hides what is hidden and is closed', () => {
  expect(toModelSchema(tool)).toEqual({
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'A path' },
      content: { type: 'string' },
      limit: { type: 'integer' },
      deep: { type: 'boolean' },
      mode: { type: 'string', enum: ['fast', 'very_slow'] },
      tags: { type: 'array', items: { type: 'string' } },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldString: { type: 'string' }, done: { type: 'boolean' } },
          required: ['oldString'],
          additionalProperties: false,
        },
      },
    },
    required: ['file_path'],
    additionalProperties: false,
  })
})
