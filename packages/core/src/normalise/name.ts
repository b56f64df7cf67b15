// Normalisation, step 1: which tool a model meant by a name.
import type { Tool } from '../tool.ts'

export type ResolvedName =
  | { readonly tool: Tool; readonly repairs: readonly string[] }
  | { readonly unknown: string; readonly nearest: readonly string[] }

/**
 * Exact name, then alias, then the one name or alias that is equal without case, `_` and `-`; then the same after a
 * wrapper prefix and trailing token junk are cut. Unknown: the three nearest real names.
 */
export function resolveName(wireName: string, tools: readonly Tool[]): ResolvedName {
  const tool = find(wireName, tools) ?? find(bare(wireName), tools)
  if (!tool) return { unknown: wireName, nearest: nearestWords(bare(wireName), namesOf(tools), 3, toolOf(tools)) }
  return { tool, repairs: tool.name === wireName ? [] : [`name ${quote(wireName)} → ${tool.name}`] }
}

/** What the model reads when it called a tool that is not there. */
export const unknownToolMessage = (unknown: string, nearest: readonly string[]): string =>
  `There is no tool named ${quote(unknown)}. Nearest: ${nearest.join(', ') || 'none'}.`

/** Up to `count` words nearest to `word`, best first; `as` maps several spellings to one. */
export function nearestWords(
  word: string,
  known: readonly string[],
  count: number,
  as: (known: string) => string = (known) => known,
): readonly string[] {
  const ranked = known.map((name) => ({ name: as(name), far: distance(fold(word), fold(name)) }))
  return [...new Set(ranked.sort((a, b) => a.far - b.far).map((item) => item.name))].slice(0, count)
}

/** Equal for names that differ only in case, `_` and `-`. */
export const fold = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

function find(name: string, tools: readonly Tool[]): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases.includes(name))
  if (exact) return exact
  const folded = fold(name)
  const loose = tools.filter((tool) => [tool.name, ...tool.aliases].some((known) => fold(known) === folded))
  return loose.length === 1 ? loose[0] : undefined
}

/** Without `functions.` and its kind, and without what some models leave behind a name (`Read<|channel|>json`, `Read:0`). */
const bare = (name: string): string =>
  name
    .trim()
    .replace(/^(?:functions|tools|default_api)[.:]/, '')
    .replace(/(?:<\||[^\w-]).*$/s, '')

const namesOf = (tools: readonly Tool[]): readonly string[] => tools.flatMap((tool) => [tool.name, ...tool.aliases])

const toolOf =
  (tools: readonly Tool[]) =>
  (known: string): string =>
    tools.find((tool) => tool.name === known || tool.aliases.includes(known))?.name ?? known

const quote = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** Edit distance; names are short. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}
