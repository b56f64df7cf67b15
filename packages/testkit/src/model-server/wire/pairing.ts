// Calls and results of a history, whatever the format: each call has exactly one result, at once, in call order.

/** One entry of the history: calls that a reply made, results that answer them, or anything else. */
export type Turn =
  | { readonly type: 'calls' | 'results'; readonly ids: readonly string[]; readonly at: string }
  | { readonly type: 'other' }

/** What is wrong with the pairing; `undefined` when nothing is. */
export function pairingOf(turns: readonly Turn[]): string | undefined {
  const seen = new Set<string>()
  let open: readonly string[] = []
  for (const turn of turns) {
    if (turn.type !== 'results') {
      if (open.length) return `tool_use ids were found without tool_result blocks immediately after: ${open.join(', ')}`
      if (turn.type === 'other') continue
      const twice = turn.ids.find((id, place) => seen.has(id) || turn.ids.indexOf(id) !== place)
      if (twice !== undefined) return `${turn.at}: tool_use ids must be unique: ${twice}`
      for (const id of turn.ids) seen.add(id)
      open = turn.ids
      continue
    }
    for (const id of turn.ids) {
      const [due, ...rest] = open
      if (id !== due) return `${turn.at}: unexpected tool_result for tool_use id ${id}; due is ${due ?? 'none'}`
      open = rest
    }
  }
  return open.length ? `tool_use ids without tool_result: ${open.join(', ')}` : undefined
}
