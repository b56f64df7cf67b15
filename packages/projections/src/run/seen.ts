// Which file contents the model has seen on this branch: a linked list, so that it hangs on the tree without copies.
import type { Branch } from './state.ts'

type Seen = NonNullable<Branch['seen']>['value']

/** The list with the newest content of one file in front. */
export const linkSeen = (seen: Branch['seen'], file: Seen): NonNullable<Branch['seen']> => ({ value: file, rest: seen })

/** SHA-256 of the content of `path` that the model saw last, or `undefined`. O(files seen). */
export function seenHash(seen: Branch['seen'], path: string): string | undefined {
  for (let link = seen; link; link = link.rest) if (link.value.path === path) return link.value.sha256
  return undefined
}
