// 1,200 edits of fixed seed: outside the range no byte changes, or the edit is refused and the file is untouched.
import { createMemoryWorkspace, createRandom, createToolBench } from '@tenon/testkit'
import { expect, test } from 'vitest'
import { sha256 } from '../text/facts.ts'
import { edit } from './edit.ts'

const rounds = 1200

interface FileLine {
  readonly text: string
  readonly ending: string
}

const words = [
  'alpha',
  'beta',
  'return x',
  'if (y) {',
  '}',
  'é',
  'e\u0301',
  '“quoted”',
  '漢字；',
  '\u2028',
  '\f',
  '\u0085',
  '😀',
  '$&',
  '$1',
  '`$$`',
  "a 'b'",
  'ﬁ',
  '\u00a0',
  '',
]
const endings = { lf: ['\n'], crlf: ['\r\n'], cr: ['\r'], mixed: ['\n', '\r\n', '\r'] } as const

function makeFile(
  pick: <T>(from: readonly T[]) => T,
  int: (below: number) => number,
): { readonly bom: boolean; readonly lines: readonly FileLine[] } {
  const kind = pick(Object.values(endings))
  const open = int(3) === 0
  const size = 3 + int(12)
  const lines = Array.from({ length: size }, (_, i) => {
    const indent = pick(['', '\t', '\t\t', '  ', '    '])
    const text = `${indent}${pick(words)} ${int(4) ? i : pick(words)}${pick(['', '', '', '  ', '\t'])}`
    return { text, ending: open && i === size - 1 ? '' : pick<string>(kind) }
  })
  return { bom: int(3) === 0, lines }
}

const encode = (bom: boolean, lines: readonly FileLine[]): Buffer =>
  Buffer.from((bom ? '\uFEFF' : '') + lines.map(({ text, ending }) => text + ending).join(''))

/** How a model drifts from the file's text; each must still hit the place or be refused. */
const drifts: Readonly<Record<string, (text: string) => string>> = {
  none: (text) => text,
  crlf: (text) => text.replaceAll('\n', '\r\n'),
  'trailing blanks': (text) => text.replace(/[ \t]+$/gm, ''),
  indentation: (text) => text.replace(/^(?=[^\n])/gm, '  '),
  blanks: (text) => text.replace(/^\t/gm, '    '),
  nfc: (text) => text.normalize('NFC'),
  ascii: (text) => text.replace(/[“”]/g, '"').replaceAll('；', ';'),
  wrong: (text) => `${text}#`,
}

async function round(seed: number): Promise<string> {
  const random = createRandom(seed)
  const int = (below: number): number => Math.floor(random() * below)
  const pick = <T>(from: readonly T[]): T => from[int(from.length)] as T
  const { bom, lines } = makeFile(pick, int)
  const from = int(lines.length)
  const to = Math.min(lines.length, from + 1 + int(3))
  const drift = pick(Object.keys(drifts))
  const tail = int(2) === 0 && to < lines.length ? '\n' : ''
  const target =
    lines
      .slice(from, to)
      .map(({ text }) => text)
      .join('\n') + tail
  const fresh = pick([
    `${target}`.replace(/\S/, 'Z'),
    `new ${int(99)}\n\tmore $& $1 $$`,
    '',
    `${target.replace(/\n$/, '')}\nadded${tail}`,
    `before\n${target}`,
    pick(words),
  ])
  const before = encode(bom, lines)
  const workspace = createMemoryWorkspace({ files: { 'f.txt': before } })
  const bench = createToolBench(workspace)
  bench.seen.set('/work/f.txt', sha256(before))
  const input = {
    file_path: '/work/f.txt',
    old_string: drifts[drift]?.(target) ?? target,
    new_string: drift === 'indentation' ? (drifts.indentation?.(fresh) ?? fresh) : fresh,
    replace_all: int(6) === 0,
  }
  const result = await bench.run(edit, input)
  const after = Buffer.from(workspace.files.get('/work/f.txt') ?? [])
  if (result.status === 'error') {
    expect(after.equals(before)).toBe(true)
    return `${drift} refused`
  }
  expect(after.toString().isWellFormed() && !after.includes(Buffer.from('\ufffd'))).toBe(true)
  expect(after.subarray(0, 3).equals(Buffer.from('\uFEFF'))).toBe(bom)
  if (input.replace_all) return `${drift} all`
  // What lies before and after the target's lines is there byte for byte, and nothing else but the new text between.
  const head = encode(bom, lines.slice(0, from))
  const last = lines[to - 1]?.ending ?? ''
  const rest =
    (tail ? '' : last) +
    lines
      .slice(to)
      .map(({ text, ending }) => text + ending)
      .join('')
  expect({ seed, drift, same: after.subarray(0, head.length).equals(head) }).toEqual({ seed, drift, same: true })
  expect({
    seed,
    drift,
    same: after.subarray(after.length - Buffer.byteLength(rest)).equals(Buffer.from(rest)),
  }).toEqual({ seed, drift, same: true })
  if (drift === 'none') {
    const between = after.subarray(head.length, after.length - Buffer.byteLength(rest)).toString()
    expect(between.replace(/\r\n?/g, '\n')).toBe(fresh)
    const used = new Set(lines.map(({ ending }) => ending).filter(Boolean))
    for (const ending of between.match(/\r\n?|\n/g) ?? []) expect(used.has(ending) || used.size === 0).toBe(true)
  }
  return `${drift} applied`
}

test('outside the range no byte changes, or the file is untouched', async () => {
  const outcomes = new Map<string, number>()
  for (let seed = 1; seed <= rounds; seed++) {
    const outcome = await round(seed)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const counted = (name: string): number => outcomes.get(name) ?? 0
  expect(counted('none applied')).toBeGreaterThan(50)
  for (const drift of ['crlf', 'trailing blanks', 'indentation', 'nfc', 'ascii'])
    expect(counted(`${drift} applied`), drift).toBeGreaterThan(30)
  expect(counted('wrong applied')).toBe(0)
})
