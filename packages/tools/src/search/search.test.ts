import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLocalWorkspace } from '@tenon/host'
import { createToolBench, resultText } from '@tenon/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { glob } from './glob.ts'
import { grep } from './grep.ts'

const root = mkdtempSync(join(tmpdir(), 'tenon-search-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const files: Readonly<Record<string, string | Buffer>> = {
  '.gitignore': '*.log\ndist/\n',
  'src/app.ts': 'const alpha = 1\nconst beta = alpha\n// --flag here\n',
  'src/deep/util.ts': 'export const gamma = "a.b(c)[d]*"\n',
  'src/deep/.gitignore': 'local.ts\n',
  'src/deep/local.ts': 'const alpha = "ignored here"\n',
  'README.md': 'Alpha and omega\n',
  '.hidden/note.md': 'alpha in a hidden folder\n',
  'dist/app.js': 'var alpha\n',
  'debug.log': 'alpha in a log\n',
  'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide alphabet\n', 'utf16le')]),
  'long.txt': `${'x'.repeat(3000)}needle${'y'.repeat(3000)}\n`,
  'many.txt': Array.from({ length: 400 }, (_, i) => `row ${i}`).join('\n'),
  '.git/config': 'alpha\n',
  '-dash.txt': 'dashed\n',
}
for (const [i, [path, content]] of Object.entries(files).entries()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  utimesSync(join(root, path), 1000 + i, 1000 + i)
}
symlinkSync('..', join(root, 'src/loop'))

const bench = createToolBench(createLocalWorkspace(root))
const search = async (input: object): Promise<string> => resultText(await bench.run(grep, { ...input }))
const find = async (input: object): Promise<string> =>
  resultText(await bench.run(glob, { ...input })).replaceAll(`${root}/`, '')

describe('Grep', () => {
  test('finds files newest first: hidden ones too, ignored and VCS ones not', async () => {
    expect(await search({ pattern: 'alpha' })).toBe('wide.txt\n.hidden/note.md\nsrc/app.ts')
  })

  test.each([
    [
      'content',
      { pattern: 'alpha', glob: '*.ts', output_mode: 'content' },
      'src/app.ts:1:const alpha = 1\nsrc/app.ts:2:const beta = alpha',
    ],
    [
      'context',
      { pattern: 'beta', output_mode: 'content', '-B': 1 },
      'src/app.ts-1-const alpha = 1\nsrc/app.ts:2:const beta = alpha',
    ],
    [
      'without numbers',
      { pattern: 'gamma', output_mode: 'content', '-n': false, '-o': true },
      'src/deep/util.ts:gamma',
    ],
    ['count', { pattern: 'alpha', glob: 'src/**', output_mode: 'count' }, 'src/app.ts:2'],
    ['case', { pattern: 'ALPHA', '-i': true, glob: '*.md' }, '.hidden/note.md\nREADME.md'],
    ['a pattern with a dash', { pattern: '--flag', output_mode: 'content' }, 'src/app.ts:3:// --flag here'],
    ['literal text', { pattern: 'a.b(c)[d]*', literal: true }, 'src/deep/util.ts'],
    [
      'multiline',
      { pattern: 'alpha = 1.const', multiline: true, output_mode: 'content' },
      'src/app.ts:1:const alpha = 1\nsrc/app.ts:2:const beta = alpha',
    ],
    ['type', { pattern: 'gamma|omega', type: 'ts' }, 'src/deep/util.ts'],
    ['include_ignored', { pattern: 'alpha', include_ignored: true, glob: '*.{js,log}' }, 'debug.log\ndist/app.js'],
    [
      'a glob never re-includes',
      { pattern: 'alpha in a log', glob: '*.log' },
      /^No match .*In ignored files: 1 line .*The glob names no file at all\.$/,
    ],
    ['a named file is searched although it is ignored', { pattern: 'alpha', path: 'debug.log' }, 'debug.log'],
    ['a hidden root', { pattern: 'alpha', path: '.hidden' }, '.hidden/note.md'],
    ['an ignored root', { pattern: 'alpha', path: 'dist' }, 'dist/app.js'],
    ['a name with a dash', { pattern: 'dashed', output_mode: 'content' }, '-dash.txt:1:dashed'],
  ])('%s', async (_, input, expected) => {
    const text = await search(input)
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
  })

  test('a long line is cut around the match', async () => {
    const text = await search({ pattern: 'needle', output_mode: 'content' })
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/^long\.txt:1:\[\+\d+\]…x+needley+…\[\+\d+\]$/)
  })

  test('limits say what is missing and how to go on', async () => {
    const text = await search({ pattern: 'row', output_mode: 'content', head_limit: 3, offset: 10 })
    expect(text).toBe(
      'many.txt:11:row 10\nmany.txt:12:row 11\nmany.txt:13:row 12\n[entries 11–13 of 400 in 1 files; next offset 13. By folder: ./ 1]',
    )
    expect(await search({ pattern: 'row', output_mode: 'content', offset: 999 })).toContain('400 entries in all')
  })

  test('nothing found is explained; a bad pattern is an error', async () => {
    expect(await search({ pattern: 'OMEGA' })).toBe(
      'No match for "OMEGA" in the working directory. Ignoring case: 1 line (set -i).',
    )
    expect(await search({ pattern: 'a[' })).toMatch(/^pattern_invalid: .*unclosed character class/s)
    expect(await search({ pattern: 'b(c)[d]*"(' })).toMatch(/pattern_invalid/)
    expect(await search({ pattern: '[d]*)', glob: '*.ts' })).toMatch(/pattern_invalid/)
    expect(await search({ pattern: 'x', type: 'nosuch' })).toContain('type "nosuch" is not known')
    expect(await search({ pattern: 'x', path: 'READNE.md' })).toContain('Near names')
  })

  test('a kept output is searched by its blob', async () => {
    const sha256 = 'b'.repeat(64)
    bench.blobs.set(sha256, Buffer.from('one\ntwo words\nthree\n'))
    expect(await search({ pattern: 'words', path: `blob:${sha256}`, output_mode: 'content' })).toBe(
      `blob:${sha256}:2:two words`,
    )
  })

  test('a cancelled search rejects', async () => {
    const control = new AbortController()
    control.abort(new Error('stop'))
    await expect(bench.run(grep, { pattern: 'x' }, control.signal)).rejects.toThrow('stop')
  })
})

describe('Glob', () => {
  test.each([
    ['newest first', { pattern: '**/*.{ts,md}' }, '.hidden/note.md\nREADME.md\nsrc/deep/util.ts\nsrc/app.ts'],
    ['the folder itself', { pattern: '*.md' }, 'README.md'],
    [
      'below, when nothing is in the folder itself',
      { pattern: 'util.ts' },
      new RegExp(`^Nothing in ${root} itself; below it .*:\nsrc/deep/util.ts$`),
    ],
    ['a path', { pattern: 'deep/*', path: 'src' }, 'src/deep/.gitignore\nsrc/deep/util.ts'],
    ['an absolute pattern', { pattern: `${root}/src/**/*.ts`, sort: 'name' }, 'src/app.ts\nsrc/deep/util.ts'],
    ['depth', { pattern: '**/*.ts', max_depth: 2 }, 'src/app.ts'],
    ['ignore', { pattern: '**/*.ts', ignore: ['util*'] }, 'src/app.ts'],
    ['ignored files on demand', { pattern: '**/*.log', include_ignored: true }, 'debug.log'],
    [
      'ignored files are told',
      { pattern: '**/*.log' },
      /^No file matches .* Among ignored files: 1 file \(set include_ignored\)\.$/,
    ],
    ['a limit', { pattern: '**/*', limit: 1 }, /^-dash\.txt\n\[1 of 10 shown; narrow .* By folder: /],
  ])('%s', async (_, input, expected) => {
    const text = await find(input)
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text.replaceAll(`Nothing in ${root}`, `Nothing in ${root}`)).toMatch(expected)
  })

  test('a folder that is not there is told', async () => {
    expect(await find({ pattern: '*', path: 'scr' })).toContain('path_missing')
  })
})

test('files that a deny rule hides are in no search and no list', async () => {
  bench.hide((path) => path.endsWith('src/app.ts'))
  try {
    expect([await search({ pattern: 'beta' }), await find({ pattern: '**/*.ts' })].join()).not.toContain('app.ts')
    expect(await search({ pattern: 'gamma' })).toContain('util.ts')
  } finally {
    bench.hide(() => false)
  }
})
