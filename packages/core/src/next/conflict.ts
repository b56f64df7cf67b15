// Which calls must not run at the same time: lock keys from the judged input, never from the model's own.
import type { Call } from '@tenon/projections'
import type { Resource } from '@tenon/protocol'

/** True when `call` has to wait for one of `others`. An unjudged one conflicts with everything: its input may still change. */
export const conflicts = (call: Call, others: readonly Call[]): boolean =>
  others.some(
    (other) =>
      other !== call &&
      (!other.judged || other.state === 'unjudged' || clash(call.judged?.resources ?? [], other.judged.resources)),
  )

const clash = (a: readonly Resource[], b: readonly Resource[]): boolean =>
  a.some((mine) =>
    b.some((theirs) => (mine.mode === 'exclusive' || theirs.mode === 'exclusive') && meet(mine.key, theirs.key)),
  )

/** `workspace` meets every file and tree; a tree covers the files and trees below it. */
export function meet(a: string, b: string): boolean {
  if (a === b) return true
  const [kindA, pathA] = split(a)
  const [kindB, pathB] = split(b)
  const places = ['file', 'tree', 'workspace']
  if (!places.includes(kindA) || !places.includes(kindB)) return false
  if (kindA === 'workspace' || kindB === 'workspace') return true
  if (kindA === 'tree' && covers(pathA, pathB)) return true
  return kindB === 'tree' && covers(pathB, pathA)
}

function split(key: string): readonly [string, string] {
  const colon = key.indexOf(':')
  return colon < 0 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)]
}

const covers = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
