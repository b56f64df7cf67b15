import { createMemoryWorkspace, createToolBench, resultText } from '@tenon/testkit'
import { describe, expect, test } from 'vitest'
import { read } from './read.ts'
import { write } from './write.ts'

async function over(content: string, next: string, more: object = {}): Promise<string> {
  const workspace = createMemoryWorkspace({ files: { f: content } })
  const bench = createToolBench(workspace)
  await bench.run(read, { file_path: 'f' })
  const result = await bench.run(write, { file_path: 'f', content: next, ...more })
  return result.status === 'ok' ? workspace.text('f') : resultText(result)
}

describe('over an existing file', () => {
  test.each([
    ['LF content takes the file’s CRLF', 'a\r\nb\r\n', 'x\ny\n', {}, 'x\r\ny\r\n'],
    ['CRLF content stands as given', 'a\nb\n', 'x\r\ny\r\n', {}, 'x\r\ny\r\n'],
    ['the BOM stays', '\uFEFFa\n', 'x\n', {}, '\uFEFFx\n'],
    ['a BOM is not doubled', '\uFEFFa\n', '\uFEFFx\n', {}, '\uFEFFx\n'],
    ['the dominant ending of a mixed file', 'a\r\nb\r\nc\n', 'x\ny\n', {}, 'x\r\ny\r\n'],
    ['eol overrides', 'a\r\nb\r\n', 'x\ny\n', { eol: 'lf' }, 'x\ny\n'],
    ['encoding overrides the BOM', '\uFEFFa\n', 'x\n', { encoding: 'utf-8' }, 'x\n'],
  ])('%s', async (_, before, next, more, expected) => {
    expect(await over(before, next, more)).toBe(expected)
  })

  test('what was not read whole is not replaced', async () => {
    const workspace = createMemoryWorkspace({ files: { f: 'a\nb\n' } })
    const bench = createToolBench(workspace)
    await bench.run(read, { file_path: 'f', limit: 1 })
    expect(resultText(await bench.run(write, { file_path: 'f', content: 'x' }))).toContain(
      'write_exists: /work/f exists (2 lines, 4 bytes)',
    )
    expect(workspace.text('f')).toBe('a\nb\n')
  })

  test('equal content is not written; what the session wrote may be replaced; what others changed may not', async () => {
    const workspace = createMemoryWorkspace()
    const bench = createToolBench(workspace)
    expect(resultText(await bench.run(write, { file_path: 'f', content: 'one\n' }))).toBe(
      'Created /work/f (1 line, 4 bytes)',
    )
    expect(resultText(await bench.run(write, { file_path: 'f', content: 'one\n' }))).toContain('unchanged')
    expect((await bench.run(write, { file_path: 'f', content: 'two\n' })).status).toBe('ok')
    workspace.put('f', 'someone else\n')
    const stale = await bench.run(write, { file_path: 'f', content: 'three\n' })
    expect(resultText(stale)).toContain('edit_stale')
    expect(workspace.text('f')).toBe('someone else\n')
  })
})

test('a new file is exactly what was given', async () => {
  const workspace = createMemoryWorkspace()
  const bench = createToolBench(workspace)
  for (const content of ['', 'a', 'a\r\nb\rc\n', '\uFEFFx', '{"a": 1}']) {
    await bench.run(write, { file_path: `d/${content.length}`, content })
    expect(workspace.text(`d/${content.length}`)).toBe(content)
  }
  expect(resultText(await bench.run(write, { file_path: 'no/where', content: '', create_dirs: false }))).toContain(
    'path_missing',
  )
})
