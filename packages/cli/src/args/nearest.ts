// The known word closest to a misspelt one, for "did you mean".

/** The closest of `words` within half its length in edits, or `undefined`. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.floor(word.length / 2) + 1
  for (const candidate of words) {
    const edits = distance(word.slice(0, 64).toLowerCase(), candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
