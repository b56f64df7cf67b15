import { expect, it } from 'vitest'
import { exportsOf, toApiList } from './api.ts'

const text = `// header
export { createLoop, type Loop } from './loop.ts'
export type { Port as ClockPort } from './clock.ts'
export const limit = 3
export async function open() {}
export interface Log {}
// export const hidden = 1
`

it('lists values before types, under their public name', () => {
  expect(exportsOf(text).map((item) => `${item.isType ? 'type ' : ''}${item.name}`)).toEqual([
    'createLoop',
    'limit',
    'open',
    'type ClockPort',
    'type Log',
    'type Loop',
  ])
})

it('writes one section a package, from its index only', () => {
  const sources = new Map([
    ['packages/core/src/index.ts', "export { createLoop } from './loop.ts'"],
    ['packages/core/src/loop.ts', 'export const createLoop = 1'],
    ['packages/cli/src/index.ts', 'export type Settings = 1'],
  ])
  expect(toApiList(sources).split('\n\n').slice(2).join('\n')).toBe(
    '## @tenon/core\nValues\n- `createLoop`\n## tenon\nTypes\n- `Settings`\n',
  )
})
