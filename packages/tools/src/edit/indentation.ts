// The one steady rule that turns the indentation a model sent into the file's, or none.

export type Indents = readonly { readonly old: string; readonly file: string }[]
type Rule = (indent: string) => string | undefined

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/**
 * Rules, first that holds on every line: a block moved right or left by the same blanks; else blanks counted in units
 * (2 for 4, blanks for tabs) with a constant shift. What the model sent for a line that is there decides for new lines too.
 */
export function fitIndentation(indents: Indents): Rule | undefined {
  const table = new Map<string, string>()
  for (const { old, file } of indents) {
    if ((table.get(old) ?? file) !== file) return undefined
    table.set(old, file)
  }
  const rule = fitUnits(indents, table) ?? fitShift(indents)
  if (!rule && table.size !== 1) return undefined
  return (indent) => table.get(indent) ?? rule?.(indent)
}

function fitShift(indents: Indents): Rule | undefined {
  const [first] = indents
  if (!first) return undefined
  if (first.file.endsWith(first.old)) {
    const more = first.file.slice(0, first.file.length - first.old.length)
    if (indents.every(({ old, file }) => file === more + old)) return (indent) => more + indent
  }
  if (first.old.endsWith(first.file)) {
    const less = first.old.slice(0, first.old.length - first.file.length)
    if (indents.every(({ old, file }) => old === less + file))
      return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : undefined)
  }
  return undefined
}

/** Only for indentations of one kind each, on at least two depths, where a shift alone does not hold. */
function fitUnits(indents: Indents, table: ReadonlyMap<string, string>): Rule | undefined {
  if (fitShift(indents)) return undefined
  const [fileKind, oldKind] = [kindOf(indents.map(({ file }) => file)), kindOf(indents.map(({ old }) => old))]
  if (fileKind === undefined || oldKind === undefined) return undefined
  const depths = [...table].map(([old, file]) => ({ old: old.length, file: file.length })).sort((a, b) => a.old - b.old)
  const [low, high] = [depths[0], depths.at(-1)]
  if (!low || !high || low === high) return undefined
  // file = low.file + (old − low.old) × rise ÷ run, exactly, on every depth.
  const [rise, run] = [high.file - low.file, high.old - low.old]
  const toFile = (old: number): number => low.file + ((old - low.old) * rise) / run
  if (rise <= 0 || !depths.every(({ old, file }) => toFile(old) === file)) return undefined
  return (indent) => {
    const width = toFile(indent.length)
    const steady = kindOf([indent]) === oldKind || indent === ''
    return steady && Number.isInteger(width) && width >= 0 ? fileKind.repeat(width) : undefined
  }
}

/** `' '` or a tab when all of them are made of it alone; `undefined` when they are mixed or all empty. */
function kindOf(indents: readonly string[]): ' ' | '\t' | undefined {
  const all = indents.join('')
  if (all === '') return undefined
  return /^ +$/.test(all) ? ' ' : /^\t+$/.test(all) ? '\t' : undefined
}
