// Import cycles: strongly connected groups of a file graph (Tarjan), each reported once in a readable order.

/** Groups of two or more files that reach each other, or a file that imports itself; sorted by path. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(file: string): number {
    const own = index.size
    index.set(file, own)
    stack.push(file)
    let low = own
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, index.get(next) ?? low)
    }
    if (low === own) {
      const group = stack.splice(stack.indexOf(file))
      if (group.length > 1 || graph.get(file)?.includes(file)) cycles.push(group)
    }
    return low
  }

  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return cycles.map((group) => group.sort()).sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
}
