import { createMemoryWorkspace, createToolBench, resultText } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { LineWindow } from './line-window.ts'
import { read } from './read.ts'

async function show(content: string | Uint8Array, more: object = {}) {
  const bench = createToolBench(createMemoryWorkspace({ files: { 'd/f.txt': content } }))
  const result = await bench.run(read, { file_path: 'd/f.txt', ...more })
  return { text: resultText(result), seen: result.seen?.length === 1, status: result.status }
}

const many = Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join('\n')

describe('text', () => {
  test.each([
    ['numbers and tabs', '\tone\n  two\n', {}, '     1→\tone\n     2→  two\n[lines 1–2 of 2]', true],
    ['CRLF, CR and BOM do not show', '\uFEFFa\r\nb\rc', {}, '     1→a\n     2→b\n     3→c\n[lines 1–3 of 3]', true],
    ['a page', 'a\nb\nc\nd\n', { offset: 2, limit: 2 }, '     2→b\n     3→c\n[lines 2–3 of 4; next offset 4]', false],
    ['from the end', 'a\nb\nc\nd\n', { offset: -1 }, '     4→d\n[lines 4–4 of 4]', false],
    ['further back than there is', 'a\nb\n', { offset: -9 }, '     1→a\n     2→b\n[lines 1–2 of 2]', true],
    ['view_range', 'a\nb\nc\n', { view_range: [2, 3] }, '     2→b\n     3→c\n[lines 2–3 of 3]', false],
    ['nothing', '', {}, '[/work/d/f.txt is empty (0 bytes).]', true],
    ['an empty line is a line', '\n', {}, '     1→\n[lines 1–1 of 1]', true],
  ])('%s', async (_, content, more, text, seen) => {
    expect(await show(content, more)).toEqual({ text, seen, status: 'ok' })
  })

  test('2,000 lines, then the next offset', async () => {
    const { text, seen } = await show(many)
    expect(text.split('\n').slice(-2)).toEqual(['  2000→line 2000', '[lines 1–2000 of 5000; next offset 2001]'])
    expect(seen).toBe(false)
  })

  test('50,000 characters in whole lines', async () => {
    const { text } = await show(`${'x'.repeat(900)}\n`.repeat(100))
    expect(text.length).toBeLessThan(50_100)
    expect(text).toMatch(/x\n\[lines 1–55 of 100; next offset 56\]$/)
  })

  test('a long line is cut and can be read by column', async () => {
    const line = Array.from({ length: 700 }, (_, i) => `${i}`.padStart(5)).join('')
    const first = await show(`${line}\nshort\n`)
    expect(first.text).toContain(`…[+${line.length - 2000}; column 2001]\n     2→short`)
    expect(first.seen).toBe(false)
    const second = await show(`${line}\n`, { column: 2001 })
    expect(second.text).toBe(`     1→${line.slice(2000)}\n[lines 1–1 of 1]`)
  })

  test('behind the end says how long it is', async () => {
    expect((await show('a\nb\n', { offset: 5 })).text).toContain(
      'has 2 lines (4 bytes); offset 5 lies behind them. Use an offset from 1 to 2',
    )
  })
})

describe('what is not UTF-8 text', () => {
  test('is described by content', async () => {
    const { text, status } = await show(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(600)]))
    expect(status).toBe('ok')
    expect(text).toContain('PNG image, 608 bytes')
    expect(text).toContain('0000  89 50 4e 47')
    expect(text.split('\n')).toHaveLength(18)
  })

  test.each([
    ['UTF-16', Buffer.from('\uFEFFhello', 'utf16le'), 'UTF-16LE'],
    ['GBK', Buffer.from('c4e3bac3', 'hex'), 'not UTF-8'],
  ])('%s is refused by name', async (_, content, name) => {
    const { text } = await show(content)
    expect(text).toContain('encoding_unsupported')
    expect(text).toContain(name)
  })
})

test('a missing file names its neighbours; a folder is refused', async () => {
  const bench = createToolBench(createMemoryWorkspace({ files: { 'src/Config.ts': 'x', 'src/other.ts': 'y' } }))
  expect(resultText(await bench.run(read, { file_path: 'src/config.ts' }))).toContain(
    'file_missing: /work/src/config.ts does not exist. "Config.ts" is there: the name differs in case.',
  )
  expect(resultText(await bench.run(read, { file_path: 'src/othr.ts' }))).toContain('Near names in /work/src: other.ts')
  expect(resultText(await bench.run(read, { file_path: 'src' }))).toContain('not_a_file')
})

test('a window is the same however the bytes are cut', () => {
  const content = Buffer.from('a\r\n\rüb\n\r\n漢字\rlast 😀')
  const lines = (size: number) => {
    const window = new LineWindow({ first: 1, limit: 100, column: 1, characters: 10_000 })
    for (let i = 0; i < content.length; i += size) window.push(content.subarray(i, i + size))
    window.end()
    return { lines: window.lines.map(({ text }) => text), total: window.total, whole: window.whole }
  }
  for (const size of [1, 2, 3, 5, 100])
    expect(lines(size)).toEqual({ lines: ['a', '', 'üb', '', '漢字', 'last 😀'], total: 6, whole: true })
})
