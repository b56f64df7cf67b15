// How alike two texts are, within a budget of work.

/** Cells of all comparisons together; a caller shares one budget over its candidates. */
export interface Budget {
  cells: number
}

/** 1 − edit distance ÷ longer length; 0 when the budget is used up. */
export function similarity(a: string, b: string, budget: Budget): number {
  if (a === b) return 1
  const longer = Math.max(a.length, b.length)
  budget.cells -= a.length * b.length
  if (budget.cells < 0) return 0
  return 1 - distance(a, b) / longer
}

function distance(a: string, b: string): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, i) => i)
  let next = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      next[j] = Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    const spare = row
    row = next
    next = spare
  }
  return row[b.length] ?? 0
}

/** Up to `count` names nearest to `name`, best first; names that are nothing alike are left out. */
export function nearNames(name: string, names: readonly string[], count = 5): readonly string[] {
  const folded = name.normalize('NFC').toLowerCase()
  const far = (other: string): number => {
    const like = other.normalize('NFC').toLowerCase()
    return like.includes(folded) || folded.includes(like) ? 0.5 : distance(folded.slice(0, 64), like.slice(0, 64))
  }
  return names
    .map((other) => ({ other, far: far(other) }))
    .filter((each) => each.far <= Math.max(3, name.length / 2))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ other }) => other)
}
