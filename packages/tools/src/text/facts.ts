// Identity and facts of a file's text for events and for the stale check.
import { createHash } from 'node:crypto'
import type { TextFacts } from '@tenon/core'
import type { Diff } from './diff.ts'
import type { Eol } from './view.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const factsOf = (bom: boolean, eol: Eol, diff: Pick<Diff, 'added' | 'removed'>): TextFacts => ({
  encoding: bom ? 'utf-8-bom' : 'utf-8',
  eol,
  added: diff.added,
  removed: diff.removed,
})
