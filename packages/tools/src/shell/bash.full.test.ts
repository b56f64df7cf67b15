// The long campaign: floods to their limits, and many shells at once, with memory and processes watched.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalWorkspace } from '@tenon/host'
import { createRandom, createToolBench, resultText } from '@tenon/testkit'
import { afterAll, expect, test } from 'vitest'
import { bash } from './bash.ts'

const root = mkdtempSync(join(tmpdir(), 'tenon-bash-full-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const bench = createToolBench(createLocalWorkspace(root))

const living = (word: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(name) !== process.pid &&
        readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(word)
      )
    } catch {
      return false
    }
  }).length

test.each(['yes', 'cat /dev/zero', 'yes "$(head -c 100000 /dev/zero | tr "\\0" x)"'])(
  '%s is stopped as a flood, in bounded memory',
  async (command) => {
    const before = process.memoryUsage().rss
    const result = await bench.run(bash, { command, timeout: 120_000 })
    expect(resultText(result)).toContain('output_flood')
    expect(resultText(result).length).toBeLessThan(14_000)
    // Whatever is printed: 8 MiB that the bench keeps, and read buffers, which V8 frees in steps of 64 MiB.
    expect(process.memoryUsage().rss - before).toBeLessThan(180 << 20)
  },
)

test('400 shells of all kinds, eight at once, leave no process', async () => {
  const random = createRandom(7)
  const kinds = [
    'sleep 4521 & echo a',
    'setsid sleep 4521 > /dev/null 2>&1 & echo b',
    '(trap "" TERM; sleep 4521) & echo c',
    'seq 1 $RANDOM',
    'for i in $(seq 50); do (sleep 4521 &) ; done; echo d',
    'exit $((RANDOM % 200))',
    'head -c 200000 /dev/urandom',
    'setsid bash -c "while :; do sleep 0.01; done" & sleep 0.05; echo e',
  ]
  let left = 400
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const result = await bench.run(bash, {
        command: kinds[Math.floor(random() * kinds.length)] ?? 'true',
        timeout: 20_000,
      })
      expect(resultText(result)).not.toContain('tool_timeout')
      expect(resultText(result).isWellFormed()).toBe(true)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  expect(living('4521')).toBe(0)
})

test('interrupted at any instant: nothing is left', async () => {
  for (let ms = 0; ms < 400; ms += 7) {
    const control = new AbortController()
    const work = bench.run(
      bash,
      { command: 'setsid sleep 4522 & sleep 4522 & for i in 1 2 3; do echo $i; done; wait' },
      control.signal,
    )
    setTimeout(() => control.abort(new Error('stop')), ms)
    await expect(work).rejects.toThrow('stop')
    expect(living('4522')).toBe(0)
  }
})
