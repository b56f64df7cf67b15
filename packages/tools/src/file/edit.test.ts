import { createMemoryWorkspace, createToolBench, resultText } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { edit } from './edit.ts'
import { read } from './read.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

function open(content: string | Uint8Array) {
  const workspace = createMemoryWorkspace({ files: { f: content } })
  const bench = createToolBench(workspace)
  return {
    workspace,
    see: () => bench.run(read, { file_path: 'f' }),
    raw: () => Buffer.from(workspace.files.get('/work/f') ?? []),
    edit: async (old_string: string, new_string: string, more: object = {}) => {
      const result = await bench.run(edit, { file_path: 'f', old_string, new_string, ...more })
      return { status: result.status, text: resultText(result), result }
    },
  }
}

/** Reads, edits once and gives the file's text, or the refusal. */
async function edited(content: string, old_string: string, new_string: string, more: object = {}): Promise<string> {
  const file = open(content)
  await file.see()
  const { status, text } = await file.edit(old_string, new_string, more)
  return status === 'ok' ? file.raw().toString() : `refused ${text.split(':')[0]}`
}

describe('bytes outside the target stay', () => {
  test.each([
    ['CRLF file, LF needle', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nB\nx\n', 'a\r\nB\r\nx\r\nc\r\n'],
    ['LF file, CRLF needle', 'a\nb\nc\n', 'b\r\nc', 'B\r\nc', 'a\nB\nc\n'],
    ['CR file', 'a\rb\rc', 'b\n', 'B\nx\n', 'a\rB\rx\rc'],
    ['mixed endings: each line keeps its own', 'a\r\nb\nc\r\nd\n', 'b\nc\nd', 'b\nX\nd', 'a\r\nb\nX\r\nd\n'],
    ['BOM', '\uFEFFa\nb\n', 'a', 'A', '\uFEFFA\nb\n'],
    ['no final newline', 'a\nb', 'a', 'A', 'A\nb'],
    ['a last line without ending gets a line under it', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['three trailing blank lines', 'a\n\n\n\n', 'a', 'A', 'A\n\n\n\n'],
    ['dollar signs and backticks', 'x\n', 'x', "$$ $& $1 $' $` `", "$$ $& $1 $' $` `\n"],
    ['form feed, NEL and U+2028 are text', 'a\fb\u0085c\u2028d\n', 'b\u0085c', 'X', 'a\fX\u2028d\n'],
    ['deletion of a line', 'a\r\nb\r\nc\r\n', 'b\n', '', 'a\r\nc\r\n'],
    [
      'NFD file, NFC needle: the rest of the line stays NFD',
      'e\u0301 = cafe\u0301 + 1\n',
      '\u00e9 = caf\u00e9 + 1',
      '\u00e9 = caf\u00e9 + 2',
      'e\u0301 = cafe\u0301 + 2\n',
    ],
    ['full-width file, ASCII needle', '調用（甲）；x\n', '調用(甲);x', '調用(甲);y', '調用（甲）；y\n'],
    ['quotes folded', '“a” b\n', '"a" b', '"a" c', '“a” c\n'],
    [
      'trailing blanks: repeated lines keep theirs',
      'alpha  \nb\t\nc\n',
      'alpha\nb\nc',
      'alpha\nB\nc',
      'alpha  \nB\nc\n',
    ],
    [
      'tabs sent as blanks',
      '\tif x:\n\t\ty = 1\n',
      '    if x:\n        y = 1',
      '    if x:\n        y = 2\n        z = 3',
      '\tif x:\n\t\ty = 2\n\t\tz = 3\n',
    ],
    [
      'two blanks for four',
      'def f():\n    a = 1\n    if a:\n        b()\n',
      'def f():\n  a = 1\n  if a:\n    b()',
      'def f():\n  a = 1\n  if a:\n    b()\n    c()',
      'def f():\n    a = 1\n    if a:\n        b()\n        c()\n',
    ],
    [
      'a block moved left',
      '        deep(1)\n        deep(2)\n',
      'deep(1)\ndeep(2)',
      'deep(1)\n  more\ndeep(2)',
      '        deep(1)\n          more\n        deep(2)\n',
    ],
    ['newline at a last line that has none', 'first\nlast line', 'last line\n', 'LAST line\n', 'first\nLAST line'],
  ])('%s', async (_, content, old, fresh, expected) => {
    expect(await edited(content, old, fresh)).toBe(expected)
  })

  test.each([
    ['all', 'a.a.a', 'a', '$&', '$&.$&.$&'],
    ['not over each other', 'aaaa', 'aa', 'b', 'bb'],
    ['mixed endings', 'x\r\nx\n', 'x\n', 'y\nz\n', 'y\r\nz\r\ny\nz\n'],
    ['each with its own indentation', '  value(1)\n\tvalue(1)\n', 'value(1)', 'other(1)', '  other(1)\n\tother(1)\n'],
  ])('replace_all: %s', async (_, content, old, fresh, expected) => {
    expect(await edited(content, old, fresh, { replace_all: true })).toBe(expected)
  })
})

describe('no guess where two places or none fit', () => {
  test('several places are listed with the line above', async () => {
    const file = open('one\nsame line\ntwo\nsame line\n')
    await file.see()
    const { text } = await file.edit('same line', 'x')
    expect(text).toContain('edit_ambiguous')
    expect(text).toContain('     1→one\n     2→same line\n…\n     3→two\n     4→same line')
    expect((await file.edit('same line', 'x', { expected_replacements: 3 })).text).toContain('expected 3')
    expect((await file.edit('same line', 'x', { expected_replacements: 2 })).status).toBe('ok')
  })

  test('two blocks that differ only in indentation are ambiguous, not the first', async () => {
    expect(await edited('  call(a, b)\n  end()\n\tcall(a, b)\n\tend()\n', 'call(a, b)\nend()', 'call(b)\nend()')).toBe(
      'refused edit_ambiguous',
    )
  })

  test('an uneven shift is no candidate', async () => {
    expect(await edited('    first line\n  second line\n', 'first line\nsecond line', 'x\ny')).toBe(
      'refused edit_no_match',
    )
  })

  test('the nearest text and the first difference are shown in words', async () => {
    const file = open('alpha\n\tvalue = compute(1)\nomega\n')
    await file.see()
    const { text } = await file.edit('    value = compute(2)', 'x')
    expect(text).toContain('edit_no_match')
    expect(text).toContain('First difference: line 2 column 1: the file has a tab, you sent 4 blanks.')
    expect(text).toContain('     2→\tvalue = compute(1)')
  })

  test('a change that is already made is told', async () => {
    const file = open('const limit = 20\n')
    await file.see()
    expect((await file.edit('const limit = 10', 'const limit = 20')).text).toContain(
      'new_string stands already at line 1',
    )
  })

  test.each([
    ['equal texts', 'a', 'a', 'edit_same'],
    ['no old text', '', 'b', 'edit_empty_old'],
    ['half a character', 'a', '\ud800', 'encoding_cannot'],
  ])('%s', async (_, old, fresh, code) => {
    expect(await edited('a\n', old, fresh)).toBe(`refused ${code}`)
  })
})

describe('seen and stale', () => {
  test('a file never seen takes one exact place and nothing looser', async () => {
    const file = open('alpha beta\ngamma  \n')
    expect((await file.edit('alpha', 'ALPHA')).status).toBe('ok')
    expect((await file.edit('gamma\n', 'x\n')).text).toContain('edit_unread')
    expect((await file.edit('m', 'n', { replace_all: true })).text).toContain('edit_unread')
    expect(file.raw().toString()).toBe('ALPHA beta\ngamma  \n')
  })

  test('a change by someone else is shown; the same call again goes through', async () => {
    const file = open('a\nb\nc\n')
    await file.see()
    file.workspace.put('f', 'a\nb\nC\n')
    const refused = await file.edit('a', 'A')
    expect(refused.text).toContain('edit_stale')
    expect(refused.text).toContain('     3→C')
    expect((await file.edit('a', 'A')).status).toBe('ok')
    // What the session wrote is kept, so this time the change itself can be shown.
    file.workspace.put('f', 'A\nbb\nC\n')
    expect((await file.edit('C', 'c')).text).toContain('-b\n+bb')
    expect((await file.edit('C', 'c')).status).toBe('ok')
    expect(file.raw().toString()).toBe('A\nbb\nc\n')
  })

  test('the same bytes written again are no change', async () => {
    const file = open('a\n')
    await file.see()
    file.workspace.put('f', 'a\n')
    expect((await file.edit('a', 'b')).status).toBe('ok')
  })
})

describe('what cannot be edited is refused and untouched', () => {
  const utf16 = Buffer.concat([bytes('\uFEFF', 'utf16le'), bytes('hello there', 'utf16le')])
  const stray = Buffer.concat([bytes('line\n'.repeat(998)), Buffer.from([0x99, 0x0a])])
  test.each([
    ['UTF-16', utf16, 'UTF-16LE'],
    ['UTF-16 without mark', bytes('hello there', 'utf16le'), 'UTF-16LE without byte order mark'],
    ['one stray byte', stray, 'byte 0x99 in line 999'],
    ['binary', Buffer.from([1, 2, 3, 0, 5, 6, 7, 8, 9, 1, 1, 1]), 'binary'],
  ])('%s', async (_, content, why) => {
    const file = open(content)
    const { text } = await file.edit('line', 'x')
    expect(text).toContain('encoding_unsupported')
    expect(text).toContain(why)
    expect(file.raw().equals(content)).toBe(true)
  })
})

test('an empty old_string creates; a line can be inserted by number; a dry run writes nothing', async () => {
  const workspace = createMemoryWorkspace()
  const bench = createToolBench(workspace)
  await bench.run(edit, { file_path: 'n/new', old_string: '', new_string: 'a\nb\n' })
  await bench.run(edit, { file_path: 'n/new', insert_line: 1, new_string: 'x' })
  await bench.run(edit, { file_path: 'n/new', insert_line: 0, new_string: 'top\n' })
  expect(workspace.text('n/new')).toBe('top\na\nx\nb\n')
  const dry = await bench.run(edit, { file_path: 'n/new', old_string: 'x', new_string: 'y', dry_run: true })
  expect(resultText(dry)).toContain('-x\n+y')
  expect(workspace.text('n/new')).toBe('top\na\nx\nb\n')
  expect(resultText(await bench.run(edit, { file_path: 'n/neww', old_string: 'a', new_string: 'b' }))).toContain(
    'Near names in /work/n: new',
  )
})

test('the diff is cut, its counts are whole', async () => {
  const content = Array.from({ length: 3000 }, (_, i) => `line ${i} ${i % 20 === 0 ? 'MARK' : ''}\n`).join('')
  const { result, text } = await (async () => {
    const file = open(content)
    return file.edit('MARK', 'DONE', { replace_all: true })
  })()
  expect(text).toContain('+150 −150, 150 places')
  expect(text).toMatch(/\[\d+ more hunks not shown\]/)
  expect(text.length).toBeLessThan(6500)
  expect(result.seen).toBeUndefined()
})
