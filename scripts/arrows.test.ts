// Each rule of the arrow script has a source that must break it: the script is only worth what it catches.
import { describe, expect, it } from 'vitest'
import { checkArrows, longFiles } from './arrows.ts'

const check = (files: Record<string, string>) => checkArrows(new Map(Object.entries(files)))
const one = (path: string, text: string) => check({ [path]: text })

describe('arrows', () => {
  it.each([
    ['packages/core/src/a.ts', "import { x } from '@tenon/host'", 'core may not import host'],
    ['packages/core/src/a.ts', "import type { X } from '@tenon/host'", 'core may not import host'],
    ['packages/core/src/a.ts', "export { x } from '@tenon/host'", 'core may not import host'],
    ['packages/models/src/a.ts', "const x = await import('@tenon/tools')", 'models may not import tools'],
    ['packages/tools/src/a.ts', "import {\n  one,\n  type Two,\n} from '@tenon/models'", 'tools may not import models'],
    ['packages/server/src/a.ts', "import 'tenon'", 'server may not import cli'],
    ['packages/tui/src/a.ts', "import { x } from '@tenon/core'", 'tui may not import core'],
    ['packages/cli/src/a.ts', "import { x } from '@tenon/core/src/loop.ts'", 'reaches inside a package'],
    ['packages/core/src/a.test.ts', "import { x } from '@tenon/testkit/src/clock.ts'", 'reaches inside a package'],
    ['packages/cli/src/a.ts', "import { x } from '../../core/src/loop.ts'", 'leaves the package'],
    ['packages/core/src/index.ts', "export * from './loop.ts'", '`export *`'],
    ['packages/core/src/index.ts', "export type * from './loop.ts'", '`export *`'],
    ['packages/core/src/a.ts', "import { readFile } from 'node:fs/promises'", 'core has no Node: node:fs/promises'],
    ['packages/client/src/a.ts', 'export const x = Buffer.from("a")', 'client has no Node: Buffer'],
    ['packages/protocol/src/a.ts', 'export const x = process.env.HOME', 'protocol has no Node: process'],
    ['packages/protocol/src/a.ts', "import Ajv from 'ajv/dist/2020'", 'protocol may use zod, not ajv/dist/2020'],
    ['packages/projections/src/a.ts', "import { z } from 'zod'", 'projections may use no library'],
    ['packages/core/src/a.ts', 'export const now = () => Date.now()', 'from their port, not Date.now'],
    ['packages/core/src/a.ts', 'export const id = `run-${`a${1}`}-${Date.now()}`', 'from their port, not Date.now'],
    ['packages/core/src/a.test.ts', "vi.mock('./loop.ts')", 'module mocks'],
  ])('%s: %s is refused', (path, text, message) => {
    expect(one(path, text)).toEqual([expect.stringContaining(message)])
  })

  it.each([
    ['packages/core/src/a.ts', "import { z } from 'zod'\nimport { E } from '@tenon/protocol'"],
    ['packages/core/src/a.test.ts', "import { clock } from '@tenon/testkit'\nimport { rm } from 'node:fs'"],
    ['packages/cli/src/a.ts', "import { x } from '@tenon/host'"],
    ['packages/core/src/a.ts', "// import { x } from '@tenon/host'\n/* export * from './b.ts' */"],
    ['packages/core/src/a.ts', 'export const text = "import { x } from \'@tenon/host\'; process.exit()"'],
    ['packages/core/src/a.ts', 'export const isQuote = /[\'"`]/\nexport const child = run.process.pid'],
  ])('%s: %s is fine', (path, text) => {
    expect(one(path, text)).toEqual([])
  })

  it('finds cycles, type-only ones and those through a package index too', () => {
    expect(
      check({
        'packages/core/src/a.ts': "import { b } from './b.ts'",
        'packages/core/src/b.ts': "import type { A } from './sub/c.ts'",
        'packages/core/src/sub/c.ts': "export { a } from '../a.ts'",
        'packages/host/src/index.ts': "export { x } from './x.ts'",
        'packages/host/src/x.ts': "import { y } from '@tenon/host'",
      }),
    ).toEqual([
      'import cycle: packages/core/src/a.ts → packages/core/src/b.ts → packages/core/src/sub/c.ts',
      'import cycle: packages/host/src/index.ts → packages/host/src/x.ts',
    ])
  })

  it('names the line', () => {
    expect(one('packages/core/src/a.ts', "// header\n\nimport { x } from '@tenon/host'")).toEqual([
      'packages/core/src/a.ts:3: core may not import host',
    ])
  })

  it('warns of a long file unless its header says why', () => {
    const body = 'export {}\n'.repeat(401)
    expect(longFiles(new Map([['packages/core/src/a.ts', body]]))).toHaveLength(1)
    expect(longFiles(new Map([['packages/core/src/a.ts', `// Long because a table is one thing.\n${body}`]]))).toEqual(
      [],
    )
  })
})
