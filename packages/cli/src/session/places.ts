// Where an event stands on the disk: `0001.jsonl:17`. Only looked up when a problem has to be shown.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Seq → file and line; of several lines with one seq the one in the newest segment counts. */
export async function locate(dir: string): Promise<ReadonlyMap<number, string>> {
  const places = new Map<number, string>()
  const names = (await readdir(dir)).filter((name) => /^\d+\.jsonl$/.test(name)).sort()
  for (const name of names) {
    const text = await readFile(join(dir, name), 'utf8')
    for (const [i, line] of text.split('\n').entries())
      for (const seq of seqsOf(line)) places.set(seq, `${join(dir, name)}:${i + 1}`)
  }
  return places
}

function seqsOf(line: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(line)
    return [value].flat().flatMap((event) => (isRecord(event) && typeof event.seq === 'number' ? [event.seq] : []))
  } catch {
    return []
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
