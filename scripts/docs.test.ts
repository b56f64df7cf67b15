// The documentation against the repository: links and paths exist, includes are found, the tour's session is what happens.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { writtenPages } from './docs.ts'
import { fillIncludes, findDeclaration } from './docs-includes.ts'
import { commentAbove, commentsIn } from './docs-schema.ts'
import { root } from './source.ts'

const run = promisify(execFile)

describe('pages', () => {
  const pages = writtenPages().map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  const prose = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '')

  test.each(pages)('%s: every link to a file, and every heading in it, exists', (path, text) => {
    const links = [...prose(text).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(readFileSync(join(root, target), 'utf8')).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test.each(pages)('%s: every path of the repository that it names exists', (_, text) => {
    const paths = [...prose(text).matchAll(/`((?:packages|scripts|docs)\/[\w./-]+)`/g)].map(([, found = '']) => found)
    expect(paths.filter((found) => !existsSync(join(root, found)))).toEqual([])
  })
})

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

describe('includes', () => {
  const source = [
    '/** Adds. */',
    'export function add(a: number): number {',
    '  return a',
    '}',
    '',
    "const text = '}'",
    '',
    'class Box {',
    '  /** Opens. */',
    '  async #open(): Promise<void> {',
    '    await this.#open()',
    '  }',
    '}',
  ].join('\n')

  test('a declaration comes with its comment, a method without its indentation', () => {
    expect(findDeclaration(source, 'add')).toBe(source.split('\n').slice(0, 4).join('\n'))
    expect(findDeclaration(source, 'text')).toBe("const text = '}'")
    expect(findDeclaration(source, 'Box.#open')).toBe(
      '/** Opens. */\nasync #open(): Promise<void> {\n  await this.#open()\n}',
    )
  })

  test('filling twice changes nothing, and a name that is gone is an error', () => {
    const page = 'A\n<!-- include a.ts add -->\nold\n<!-- end -->\nB'
    const filled = fillIncludes(page, () => source)
    expect(filled).toContain('```ts\n/** Adds. */')
    expect(fillIncludes(filled, () => source)).toBe(filled)
    expect(() => fillIncludes('<!-- include a.ts gone -->\n<!-- end -->', () => source)).toThrow('gone')
  })
})

test('comments of fields are found within their own declaration only', () => {
  const source =
    "  'a.b': kind({\n    /** One. */\n    x: 1,\n  }),\n  /** All. */\n  'c.d': kind({\n    x: 2,\n  }),\n"
  expect([...commentsIn(source, "'a.b':")]).toEqual([['x', 'One.']])
  expect([...commentsIn(source, "'c.d':")]).toEqual([])
  expect(commentAbove(source, "'c.d':")).toBe('All.')
})

test('the session of the tour is what a run leaves', { timeout: 60_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'tenon-tour-'))
  try {
    const folder = join(home, 'work')
    mkdirSync(folder)
    writeFileSync(join(home, 'script.json'), JSON.stringify({ turns: tourTurns }))
    const tenon = (...args: readonly string[]) =>
      run(process.execPath, [join(root, 'packages/cli/bin/tenon.cjs'), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, TENON_HOME: join(home, 'tenon') },
      })
    const model = `script:${join(home, 'script.json')}`
    await tenon('-p', 'go', '--model', model, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(cat *)')
    const { stdout } = await tenon('session', 'events', 'last')
    const happened = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ seq, type, parent }) => [seq, parent === undefined ? 'ledger' : 'branch', type])
    expect(happened).toEqual(toldByTour())
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

const tourTurns = [
  { text: 'I write it.', calls: [{ name: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } }] },
  { calls: [{ name: 'Bash', input: { command: 'cat hello.txt' } }] },
  { text: 'The file says hello.' },
]

function toldByTour(): readonly (readonly [number, string, string])[] {
  const text = readFileSync(join(root, 'docs/tour.md'), 'utf8')
  const lines = /<!-- run -->([\s\S]*?)<!-- end run -->/.exec(text)?.[1] ?? ''
  return [...lines.matchAll(/^ *(\d+) {2}(branch|ledger) {2}(\S+)/gm)].map(([, seq, kind = '', type = '']) => [
    Number(seq),
    kind,
    type,
  ])
}
