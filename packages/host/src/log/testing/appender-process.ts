// For tests: starts the appender and gathers what it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Appender {
  readonly pid: number
  /** Groups it was told are stored: first seq and count. */
  acknowledged(): readonly (readonly [seq: number, count: number])[]
  /** Resolves with the rest of the next printed line that begins so; also when it was printed already. */
  printed(word: string): Promise<string>
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  ended(): Promise<void>
}

export function startAppender(dir: string, writer: string): Appender {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./appender.ts', import.meta.url)), dir, writer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n')
    text = parts.pop() ?? ''
    lines.push(...parts)
    for (const look of [...waiting]) look()
  })
  const closed = once(child, 'close')
  return {
    pid: child.pid ?? 0,
    acknowledged: () =>
      lines
        .filter((line) => line.startsWith('ack '))
        .map((line) => {
          const [, seq, count] = line.split(' ').map(Number)
          return [seq ?? -1, count ?? 0] as const
        }),
    printed: (word) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = lines.find((candidate) => candidate.startsWith(`${word} `))
          if (line === undefined) return
          waiting.delete(look)
          resolve(line.slice(word.length + 1))
        }
        waiting.add(look)
        void closed.then(() => reject(new Error(`the appender ended without "${word}"`)))
        look()
      }),
    signal: (name) => child.kill(name),
    ended: async () => void (await closed),
  }
}
